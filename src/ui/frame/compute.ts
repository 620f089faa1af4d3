import { assertUnreachable } from '../../base/assert.ts';
import type { ShouldYield } from '../../base/time.ts';
import { completeFilter, knownTexts } from '../../filter/language/complete.ts';
import type { Answer } from '../../view/action.ts';
import type { Computation } from '../../view/effect.ts';
import type { ViewState } from '../../view/state.ts';
import { rowTerms } from '../row-terms.ts';
import { findRows, rowAt } from '../selected-row.ts';
import type { Scene } from './scene.ts';

/**
 * Answers what the reducer asked of the view as it is now, at the trace time `nowNs`. What takes longer
 * than its turn is answered in part, and continued when it is asked again.
 */
export function compute(
  scene: Scene,
  question: Computation,
  view: ViewState,
  nowNs: number,
  shouldYield?: ShouldYield,
): Answer | undefined {
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
        slowest: scene.monitor.seekWorst(question.fromStart, shouldYield),
      };
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
    case 'readRow':
      return { type: 'rowRead', terms: rowTerms(rowAt(view, scene.report(view, nowNs))) };
    case 'readEntry': {
      const { row, why } = question;
      return { type: 'entryRead', id: scene.pickEntries(view, nowNs)[row]?.id, why };
    }
    default:
      return assertUnreachable(question);
  }
}

function completion(
  { monitor }: Scene,
  { text, cursor }: Extract<Computation, { type: 'completeFilter' }>['line'],
): Answer | undefined {
  const { info } = monitor.source;
  const { from, candidates } = completeFilter(text, cursor, knownTexts(info.keys, info));
  const [first] = candidates;
  return first && { type: 'completed', from, text: first.text };
}
