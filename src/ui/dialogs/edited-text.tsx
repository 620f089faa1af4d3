import type { ReactElement } from 'react';
import type { EditedLine } from '../../view/line-editor.ts';
import { editedCells } from './edited-line.ts';
import type { Role } from '../text/theme.ts';
import { Styled } from './styled.tsx';

export interface EditedTextProps {
  readonly line: EditedLine;
  readonly width: number;
  readonly role?: Role;
}

/** A line that is being typed, with its cursor. If it does not fit, only the part around the cursor is shown. */
export function EditedText({ line, width, role = 'plain' }: EditedTextProps): ReactElement {
  const { before, under, after } = editedCells(line, width);
  return (
    <Styled>
      <Styled role={role}>{before}</Styled>
      <Styled role="bar">{under}</Styled>
      <Styled role={role}>{after}</Styled>
    </Styled>
  );
}
