import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { Filter } from '../../filter/filter.ts';
import { toggleMenu } from './toggle-entries.ts';
import type { ToggleEntry } from './toggle-entries.ts';
import { Styled } from './styled.tsx';

export interface ToggleMenuProps {
  readonly filter: Filter;
  readonly width: number;
}

/** One line with the kinds of I/O. Those that the filter asks for are in brackets. */
export function ToggleMenu({ filter, width }: ToggleMenuProps): ReactElement {
  const { title, entries } = toggleMenu(filter, width);
  return (
    <Box width={width} height={1}>
      <Styled role="dim">{title}</Styled>
      {entries.map((entry) => (
        <Box key={entry.toggle.key} width={entry.width} flexShrink={0}>
          <Entry {...entry} />
        </Box>
      ))}
    </Box>
  );
}

function Entry({ toggle: { key }, rest, isOn, isFramed }: ToggleEntry): ReactElement {
  if (isOn && isFramed) return <Styled role="selected">{`[${key}${rest}]`}</Styled>;
  return (
    <>
      <Styled> </Styled>
      <Styled role={isOn ? 'selected' : 'accent'}>{isOn ? key.toUpperCase() : key}</Styled>
      <Styled {...(isOn ? { role: 'selected' as const } : {})}>
        {isOn ? rest.toUpperCase() : rest}
      </Styled>
    </>
  );
}
