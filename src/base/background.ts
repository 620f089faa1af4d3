/** The colour behind the text of the terminal. */
export type KnownBackground = 'dark' | 'light';
/** Unknown if neither the environment nor the terminal reports it. */
export type Background = KnownBackground | 'unknown';

/** Values of the option; auto: what the terminal reports. */
export const BACKGROUND_CHOICES = ['auto', 'light', 'dark'] as const;
export type BackgroundChoice = (typeof BACKGROUND_CHOICES)[number];

export function chosenBackground(choice: BackgroundChoice, found: Background): Background {
  return choice === 'auto' ? found : choice;
}

/** The luminance at which black and white text are equally readable: WCAG 2 gives both 4.6:1. */
const MIDDLE_LUMINANCE = 0.179;

/** Whether a colour is dark or light; channels from 0 to 1 in sRGB. */
export function backgroundOf(red: number, green: number, blue: number): KnownBackground {
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return luminance > MIDDLE_LUMINANCE ? 'light' : 'dark';
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}
