import { Box } from 'ink';
import type { ReactElement } from 'react';
import { sanitizeText } from '../../base/sanitize.ts';
import type { Choice } from '../../filter/fields.ts';
import type { PromptProblem, PromptState } from '../../view/state.ts';
import { cellAt, editedCells } from './edited-line.ts';
import type { FilterStanding } from './filter-standing.ts';
import { firstThatFits } from '../text/fit-segments.ts';
import { windowAround } from './list-window.ts';
import type { Role } from '../text/theme.ts';
import { wrapWords } from '../text/wrap-words.ts';
import { Bar } from './bar.tsx';
import { EditedText } from './edited-text.tsx';
import { Styled } from './styled.tsx';

export interface PromptProps {
  readonly prompt: PromptState;
  /** The label of the line, such as `/` or `go to:`. */
  readonly label: string;
  /** Completions of the word under the cursor. */
  readonly candidates: readonly Choice[];
  /** The candidate that Tab inserts. */
  readonly selected: number | undefined;
  /** What to press next, in ever shorter forms. They are shown while there is no error. */
  readonly hints: readonly string[];
  /** The state of a filter before it is applied. */
  readonly standing?: FilterStanding | undefined;
  readonly width: number;
}

const MAX_CANDIDATES = 6;
const MAX_CANDIDATE_WIDTH = 24;
/** The caret points down at the line below it. */
const CARET = '▾';

/** Candidates, if there are any, are above an error or a hint. The typed line is the lowest. */
export function Prompt(props: PromptProps): ReactElement {
  const { label, prompt, width } = props;
  return (
    <Box flexDirection="column" width={width}>
      <Candidates {...props} />
      <Note {...props} />
      <Box height={1} gap={1}>
        <Box flexShrink={0}>
          <Styled role="accent">{label}</Styled>
        </Box>
        <EditedText line={prompt.line} width={lineRoom(props)} role={textRole(props)} />
      </Box>
    </Box>
  );
}

function lineRoom({ label, width }: PromptProps): number {
  return Math.max(1, width - label.length - 1);
}

/** On a terminal with colours, a valid filter is green and a wrong one red. */
function textRole({ prompt, standing }: PromptProps): Role {
  if (prompt.problem !== undefined || standing?.kind === 'wrong') return 'warning';
  return standing?.kind === 'right' ? 'good' : 'plain';
}

function Candidates({ candidates, selected, width }: PromptProps): ReactElement {
  const { top, room } = windowAround(selected, candidates.length, MAX_CANDIDATES);
  const shown = candidates.slice(top, top + room);
  const widest = Math.max(0, ...shown.map(({ text }) => text.length));
  const textWidth = Math.min(widest, MAX_CANDIDATE_WIDTH, Math.max(0, width - 2));
  return (
    <>
      {shown.map(({ text, description }, index) => {
        const isSelected = top + index === selected;
        return (
          <Bar key={index} role={isSelected ? 'selected' : undefined} width={width}>
            <Box width={2} flexShrink={0}>
              <Styled>{isSelected ? '▸' : ''}</Styled>
            </Box>
            <Box width={textWidth} flexShrink={0} marginRight={2}>
              <Styled role="accent">{sanitizeText(text)}</Styled>
            </Box>
            <Styled role="dim">{sanitizeText(description)}</Styled>
          </Bar>
        );
      })}
    </>
  );
}

/** Shows the error of the typed text or, without one, what to press. */
function Note(props: PromptProps): ReactElement {
  const { label, prompt, hints, standing, width } = props;
  const typed = standing?.kind === 'wrong' ? standing.problem : undefined;
  const problem = prompt.problem ?? typed;
  if (problem === undefined)
    return (
      <Box height={1} paddingLeft={1}>
        <Styled role="dim">{firstThatFits(hints, width - 1)}</Styled>
      </Box>
    );
  const { first } = editedCells(prompt.line, lineRoom(props));
  const wanted = label.length + 1 + cellAt(prompt.line.text, problem.column) - first;
  const caret = Math.max(0, Math.min(width - 1, Math.max(label.length, wanted)));
  const role = prompt.problem === undefined ? 'dim' : 'warning';
  return <Problem {...problem} {...{ caret, width, role }} />;
}

interface ProblemProps extends PromptProblem {
  /** The number of cells left of the caret. */
  readonly caret: number;
  readonly width: number;
  readonly role: Role;
}

/** Puts the message on the side of the caret that has room for it, or else above it. */
function Problem({ message, caret, width, role }: ProblemProps): ReactElement {
  const text = sanitizeText(message);
  const pointer = (
    <Box flexShrink={0}>
      <Styled role="warning">{CARET}</Styled>
    </Box>
  );
  if (caret + 2 + text.length <= width)
    return (
      <Box marginLeft={caret} gap={1}>
        {pointer}
        <Styled role={role}>{text}</Styled>
      </Box>
    );
  if (text.length + 1 <= caret)
    return (
      <Box width={caret + 1} gap={1} justifyContent="flex-end">
        <Styled role={role}>{text}</Styled>
        {pointer}
      </Box>
    );
  return (
    <>
      <Box flexDirection="column" paddingLeft={1}>
        {wrapWords(text, Math.max(1, width - 1)).map((line, index) => (
          <Styled key={index} role={role}>
            {line}
          </Styled>
        ))}
      </Box>
      <Box marginLeft={caret}>{pointer}</Box>
    </>
  );
}
