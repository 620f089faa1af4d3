import { Box } from 'ink';
import type { ReactElement, ReactNode } from 'react';
import { firstThatFits } from '../text/fit-segments.ts';
import { FRAME_SIZE } from './list-window.ts';
import { Styled } from './styled.tsx';

export interface DialogFrameProps {
  /** The upper border has the title on the left and the position on the right. */
  readonly title: ReactNode;
  readonly position: string;
  /** The text in the lower border, in ever shorter forms. */
  readonly footer: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly children: ReactNode;
}

/** A column of lines in a border with a title. */
export function DialogFrame(props: DialogFrameProps): ReactElement {
  const { title, position, footer, width, height, children } = props;
  const inside = width - FRAME_SIZE;
  return (
    <Box flexDirection="column" width={width} height={height} borderStyle="single">
      <TitleLine width={inside}>
        <Styled> {title} </Styled>
        {position !== '' && <Styled> {position} </Styled>}
      </TitleLine>
      {children}
      <Box position="absolute" marginTop={height - FRAME_SIZE}>
        <Styled role="dim"> {firstThatFits(footer, inside - 2)} </Styled>
      </Box>
    </Box>
  );
}

interface TitleLineProps {
  readonly width: number;
  readonly children: ReactNode;
}

/** Covers the upper border. Text that does not fit next to the title wraps to a line that is clipped. */
function TitleLine({ width, children }: TitleLineProps): ReactElement {
  return (
    <Box
      position="absolute"
      marginTop={-1}
      width={width}
      height={1}
      flexWrap="wrap"
      justifyContent="space-between"
      overflow="hidden"
    >
      {children}
    </Box>
  );
}
