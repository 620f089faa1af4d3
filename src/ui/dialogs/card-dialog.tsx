import { Box } from 'ink';
import type { ReactElement } from 'react';
import { sanitizeText } from '../../base/sanitize.ts';
import type { Card } from '../../model/card.ts';
import { cardLines, LABEL_WIDTH } from './card-layout.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { FRAME_SIZE } from './list-window.ts';
import { Styled } from './styled.tsx';

const FOOTER = ['Enter: show only this  Esc: close', 'Enter  Esc'];

export interface CardDialogProps {
  readonly card: Card;
  readonly width: number;
  readonly height: number;
}

/** What is known of a process or disk, and what is not. */
export function CardDialog({ card, width, height }: CardDialogProps): ReactElement {
  const lines = cardLines(card, width - FRAME_SIZE - 2).slice(0, height - FRAME_SIZE);
  return (
    <DialogFrame
      title={<Styled role="strong">{sanitizeText(card.title)}</Styled>}
      position=""
      footer={FOOTER}
      {...{ width, height }}
    >
      {lines.map(({ label, text, isKnown }, index) => (
        <Box key={index} height={1} flexShrink={0} paddingX={1}>
          <Box width={LABEL_WIDTH} flexShrink={0}>
            <Styled role="accent">{label}</Styled>
          </Box>
          <Styled role={isKnown ? 'plain' : 'dim'}>{text}</Styled>
        </Box>
      ))}
    </DialogFrame>
  );
}
