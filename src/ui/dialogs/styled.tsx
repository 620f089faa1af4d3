import { Text } from 'ink';
import { createContext, useContext } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Attribute, DEFAULT_COLOR } from '../../base/cell-block.ts';
import { createTheme } from '../text/theme.ts';
import type { Role, Theme } from '../text/theme.ts';

/** The look of each role on this terminal. */
export const ThemeContext = createContext<Theme>(createTheme(0));

/** The role of all text on a bar; undefined outside a bar, where each text has its own. */
export const BarContext = createContext<Role | undefined>(undefined);

export interface StyledProps {
  readonly role?: Role;
  readonly children?: ReactNode;
}

/** Text with the look of its role. The text is sanitized, and cut if it does not fit. */
export function Styled({ role = 'plain', children }: StyledProps): ReactElement {
  const theme = useContext(ThemeContext);
  const { fg, attr } = theme.look(useContext(BarContext) ?? role);
  return (
    <Text
      wrap="truncate"
      bold={(attr & Attribute.bold) !== 0}
      dimColor={(attr & Attribute.dim) !== 0}
      inverse={(attr & Attribute.inverse) !== 0}
      {...(fg === DEFAULT_COLOR ? {} : { color: `ansi256(${fg})` })}
    >
      {children}
    </Text>
  );
}
