import { assertUnreachable } from '../../base/assert.ts';
import type { ShouldYield } from '../../base/time.ts';
import { completeFilter, knownTexts } from '../../filter/language/complete.ts';
import type { Term } from '../../filter/filter.ts';
import type { ActivityReport } from '../../model/activity.ts';
import type { Note } from '../../model/notes.ts';
import type { Action, ActionOf, Answer } from '../../view/action.ts';
import { matchingActions } from '../../view/keys/action-list.ts';
import type { Computation, RowUse } from '../../view/effect.ts';
import type { OpenCard, ViewState } from '../../view/state.ts';
import { processTerms, rowTerms } from '../tables/row-terms.ts';
import { findRows, selectedRow, shownRows } from '../tables/selected-row.ts';
import { cardRow } from './card-row.ts';
import type { Scene } from './scene.ts';

/**
 * Answers a computation that the reducer requested, for the current view at the trace time `nowNs`. A computation that
 * takes longer than its turn is answered in part, and resumed when it is requested again.
 */
export function compute(
  scene: Scene,
  question: Computation,
  view: ViewState,
  nowNs: number,
  shouldYield?: ShouldYield,
): Action | undefined {
  const picture = () => scene.picture(view, nowNs, shouldYield);
  switch (question.type) {
    case 'findNotableCell': {
      const shown = picture();
      const isPartial = scene.isPartial(shown);
      return { type: 'notableCell', cell: shown.notableCell(), isPartial };
    }
    case 'findSlowest':
      return {
        type: 'slowestFound',
        slowest: scene.monitor.seekSlowest(question.fromStart, shouldYield),
      };
    case 'findBursts': {
      const { fromStart, latency, columnNs } = question;
      const bursts = scene.monitor.seekBursts(fromStart, latency, columnNs, shouldYield);
      return { type: 'burstsFound', bursts };
    }
    case 'placeSlowest': {
      const shown = picture();
      const cell = scene.isPartial(shown) ? 'counting' : shown.cellOfSlowest(question.slowest);
      return { type: 'slowestPlaced', cell };
    }
    case 'findFullestBin': {
      const { column } = question;
      const shown = picture();
      const bin = shown.fullerBin({ column, lowBin: 0, highBin: shown.bins });
      return { type: 'binFound', bin };
    }
    case 'findFullerBin':
      return { type: 'binFound', bin: picture().fullerBin(question.at) };
    case 'findTopBin':
      return { type: 'binFound', bin: picture().bins };
    case 'readBox':
      return { type: 'boxRead', box: picture().boxOf(question.a, question.b), why: question.why };
    case 'findRows': {
      const rows = findRows(view, scene.report(view, nowNs), question.text);
      return { type: 'rowsFound', rows, why: question.why };
    }
    case 'completeFilter':
      return completion(scene, question.line);
    case 'readNote': {
      const { fromNs, untilNs, foundNoteNs } = question;
      const notes = scene.monitor.notes.within(fromNs, untilNs);
      const note = notes.find(({ atNs }) => atNs === foundNoteNs) ?? notes.at(-1);
      return { type: 'noteRead', atNs: note?.atNs ?? fromNs, text: note?.text ?? '' };
    }
    case 'findNote':
      return { type: 'noteFound', found: foundNote(scene.monitor.notes.list(), question.fromNs) };
    case 'findAction':
      return matchingActions(question.mode, question.text)[question.row]?.action;
    case 'readRow':
      return {
        type: 'rowRead',
        terms: termsFor(scene, question.why, view, nowNs),
        why: question.why,
      };
    case 'readCard':
      return {
        type: 'cardRead',
        card: cardOfRow(scene, cardRow(scene, view, nowNs)),
      };
    case 'readEntries': {
      const entries = scene
        .entriesAtOpening(view, nowNs)
        .map(({ id, label, isLeftOut }) => ({ id, label, isLeftOut }));
      return { type: 'entriesRead', entries };
    }
    case 'readEntry': {
      const { row, why } = question;
      const matches = scene.pickEntries(view, nowNs).map(({ id }) => id);
      return { type: 'entryRead', id: matches[row], matches, why };
    }
    default:
      return assertUnreachable(question);
  }
}

function foundNote(
  notes: readonly Note[],
  fromNs: number | undefined,
): ActionOf<'noteFound'>['found'] {
  const next = fromNs === undefined ? -1 : notes.findIndex(({ atNs }) => atNs >= fromNs);
  const first = fromNs === undefined ? notes.length - 1 : 0;
  const index = next < 0 ? first : next;
  const note = notes[index];
  return note && { atNs: note.atNs, place: index + 1, count: notes.length };
}

function termsFor(scene: Scene, why: RowUse, view: ViewState, nowNs: number): Term[] | undefined {
  if (view.mode !== 'inFlight') return rowTerms(rowFor(why, view, scene.report(view, nowNs)));
  const { inFlightRow } = view;
  return processTerms(scene.inFlight(view, nowNs)?.rows?.find(({ id }) => id === inFlightRow?.id));
}

/**
 * The row to use without a selection: the first one, which others wait for most. For a filter, none: it would remove
 * all other I/O from the screen, so its row has to be selected.
 */
function rowFor(
  why: RowUse,
  view: ViewState,
  report: ActivityReport,
): ReturnType<typeof selectedRow> {
  const chosen = selectedRow(view, report);
  return why === 'filter' ? chosen : (chosen ?? shownRows(view, report)[0]);
}

function cardOfRow({ monitor }: Scene, row: ReturnType<typeof selectedRow>): OpenCard | undefined {
  const card = row && monitor.card(row);
  return card && { ...card, terms: rowTerms(row) ?? [] };
}

function completion(
  { monitor }: Scene,
  { text, cursor }: Extract<Computation, { type: 'completeFilter' }>['line'],
): Answer | undefined {
  const { info } = monitor.source;
  const { from, candidates } = completeFilter(text, cursor, knownTexts(info.identities, info));
  const [first] = candidates;
  return first && { type: 'completed', from, text: first.text };
}
