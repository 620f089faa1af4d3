import type { PaletteName } from '../model/metric.ts';

/** Colours from the fewest I/Os to the most. */
export interface Ramp {
  /** For terminals with 16 colours, where the order by lightness only roughly follows the hue. */
  readonly of16: readonly number[];
  /** Indices of the 256-colour palette. */
  readonly of256: readonly number[];
  /** 0xrrggbb, for terminals with true colour and for exported pictures. */
  readonly exact: readonly number[];
}

/** Each starts close to the background and ends at the strongest contrast with it. */
export interface Ramps {
  /** How counts map to colours. */
  readonly kind: 'log' | 'linear';
  readonly dark: Ramp;
  readonly light: Ramp;
}

/**
 * The exact colours are spaced so that neighbours differ equally for the eyes that see the least difference, including
 * those that confuse red and green. The 256-colour palette has no such ramps: its colours are chosen near the exact
 * ones such that they still differ. docs/palettes.md has the differences.
 */

/**
 * Blue, cyan, green, yellow, nearly white. No red: a busy pixel is not an error. The first colour stands out from
 * black and from white (4:1), even if the background is unknown, because a single slow I/O must be visible next to
 * 100,000 fast ones.
 */
const SPECTRUM: Ramps = {
  kind: 'log',
  dark: {
    of16: [12, 6, 2, 10, 11, 15],
    of256: [27, 62, 63, 33, 39, 74, 73, 72, 43, 42, 41, 76, 113, 150, 149, 184, 227, 228, 229, 230],
    exact: [
      0x0060ff, 0x0572ff, 0x0a85ff, 0x0d97f6, 0x10a5ef, 0x11addd, 0x12b4cf, 0x12b9c3, 0x13bcb8,
      0x13bfaf, 0x13c2a5, 0x14c599, 0x17c98b, 0x23cd7a, 0x32d166, 0x4cd650, 0x7edd38, 0xc8e915,
      0xfaf53c, 0xfcf86f, 0xfdfa92, 0xfefcae, 0xfefec5, 0xffffd8,
    ],
  },
  light: {
    of16: [3, 2, 6, 12, 4, 0],
    of256: [142, 107, 70, 71, 34, 35, 36, 65, 66, 32, 27, 62, 61, 26, 56, 21, 20, 19, 18, 17],
    exact: [
      0xb4a800, 0x929f06, 0x5d9821, 0x3d9434, 0x2d9043, 0x208c50, 0x15885b, 0x0b8565, 0x08826e,
      0x088076, 0x087d7d, 0x087b87, 0x087791, 0x08739f, 0x0b6cae, 0x115ec8, 0x1e4cce, 0x223ac6,
      0x1e2ab7, 0x1919a6, 0x13138c, 0x0c0c74, 0x06065d, 0x000048,
    ],
  },
};

/** Purple, red, orange, pale yellow, like inferno: it keeps its meaning in a black-and-white print. */
const HEAT: Ramps = {
  kind: 'log',
  dark: {
    of16: [1, 9, 3, 11, 15],
    of256: [
      57, 92, 93, 128, 163, 198, 197, 196, 202, 209, 208, 215, 214, 220, 221, 222, 227, 228, 229,
      230,
    ],
    exact: [
      0x7a1ca0, 0x95228a, 0xa3257e, 0xac2975, 0xb22d6d, 0xb73266, 0xbc365f, 0xc13958, 0xc63d51,
      0xcc424a, 0xd34842, 0xda513a, 0xe25b32, 0xea6628, 0xf0751e, 0xf58613, 0xfa9808, 0xfaae1a,
      0xf8c530, 0xf8d84e, 0xf9e46f, 0xfaef89, 0xfbf7a0, 0xfcffb4,
    ],
  },
  light: {
    of16: [3, 9, 1, 0],
    of256: [
      208, 209, 173, 202, 203, 196, 160, 161, 162, 127, 92, 91, 90, 55, 54, 53, 236, 235, 233, 16,
    ],
    exact: [
      0xf29a30, 0xed872d, 0xe8742a, 0xe06529, 0xd85627, 0xd04827, 0xc7402e, 0xbf3835, 0xb7313b,
      0xaf2a40, 0xa82746, 0xa1244c, 0x992152, 0x911e58, 0x881b5e, 0x76155f, 0x5e0e5d, 0x480a50,
      0x360741, 0x260431, 0x1b0324, 0x13021a, 0x0b0111, 0x000004,
    ],
  },
};

/** Blue to yellow through grey, like cividis: red is never opposed to green. */
const COLORBLIND: Ramps = {
  kind: 'log',
  dark: {
    of16: [12, 8, 3, 11],
    of256: [
      24, 25, 26, 27, 62, 68, 103, 102, 246, 248, 144, 179, 178, 184, 221, 220, 227, 228, 229, 230,
    ],
    exact: [
      0x2c5cb4, 0x3f67ab, 0x5070a4, 0x5e779c, 0x6a7b95, 0x737f8f, 0x7b828a, 0x828687, 0x898a84,
      0x908e80, 0x98937c, 0xa39877, 0xab9e71, 0xb5a469, 0xbfac61, 0xcbb457, 0xd7be4c, 0xe5c93f,
      0xf1da3e, 0xfced40, 0xfdf46c, 0xfef88d, 0xfefca8, 0xffffc0,
    ],
  },
  light: {
    of16: [3, 8, 4, 0],
    of256: [142, 143, 144, 247, 245, 244, 243, 242, 96, 62, 27, 26, 25, 57, 56, 55, 20, 19, 18, 17],
    exact: [
      0xc4a820, 0xb4a037, 0xa99947, 0x9f9353, 0x968d5c, 0x8e8763, 0x878269, 0x817e6f, 0x7b7b74,
      0x767878, 0x70757c, 0x697281, 0x616d87, 0x56678d, 0x496094, 0x385699, 0x26499b, 0x143a96,
      0x0a2d87, 0x001f79, 0x001663, 0x000e4d, 0x000739, 0x000028,
    ],
  },
};

/** The 256-colour palette has only these greys that stand out from the background. */
const GREY: Ramps = {
  kind: 'linear',
  dark: {
    of16: [8, 7, 15],
    of256: [
      238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 231,
    ],
    exact: [
      0x484848, 0x4f4f4f, 0x565656, 0x5d5d5d, 0x646464, 0x6a6a6a, 0x707070, 0x767676, 0x7c7c7c,
      0x828282, 0x898989, 0x909090, 0x979797, 0x9f9f9f, 0xa7a7a7, 0xafafaf, 0xb8b8b8, 0xc1c1c1,
      0xcacaca, 0xd4d4d4, 0xdedede, 0xe9e9e9, 0xf4f4f4, 0xffffff,
    ],
  },
  light: {
    of16: [8, 0],
    of256: [248, 247, 246, 245, 244, 243, 242, 241, 240, 239, 238, 237, 236, 235, 234, 233, 16],
    exact: [
      0xa8a8a8, 0xa0a0a0, 0x989898, 0x919191, 0x8a8a8a, 0x838383, 0x7d7d7d, 0x777777, 0x717171,
      0x6b6b6b, 0x656565, 0x5f5f5f, 0x585858, 0x515151, 0x4a4a4a, 0x434343, 0x3c3c3c, 0x353535,
      0x2e2e2e, 0x272727, 0x1f1f1f, 0x171717, 0x0e0e0e, 0x000000,
    ],
  },
};

export const RAMPS: Readonly<Record<PaletteName, Ramps>> = {
  spectrum: SPECTRUM,
  heat: HEAT,
  colorblind: COLORBLIND,
  grey: GREY,
  // Drawn with glyphs on the screen; exported pictures use greys.
  mono: { ...GREY, kind: 'log' },
};
