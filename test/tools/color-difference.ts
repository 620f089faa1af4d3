/** Three channels: linear light, CIE XYZ or CIE Lab. */
export type Triple = readonly [number, number, number];

/** Eyes for which a difference is judged. */
export const VISIONS = ['normal', 'deuteranopia', 'protanopia'] as const;
export type Vision = (typeof VISIONS)[number];

type Matrix = readonly [Triple, Triple, Triple];

/**
 * G. M. Machado, M. M. Oliveira, L. A. F. Fernandes: A Physiologically-based Model for Simulation of
 * Color Vision Deficiency, IEEE Transactions on Visualization and Computer Graphics 15 (6), 2009.
 * Severity 1.0; the matrices apply to linear RGB.
 */
const SIMULATIONS: Readonly<Record<Exclude<Vision, 'normal'>, Matrix>> = {
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};

/** IEC 61966-2-1, D65. */
const XYZ_OF_LINEAR: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const WHITE: Triple = [0.95047, 1, 1.08883];

/** Linear light, 0 to 1, of an sRGB colour 0xrrggbb. */
export function linearOf(rgb: number): Triple {
  return mapTriple([rgb >> 16, rgb >> 8, rgb], (channel) => {
    const share = (channel & 0xff) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}

/** Relative luminance, 0 to 1, as WCAG 2 defines it. */
function luminance(rgb: number): number {
  const [red, green, blue] = linearOf(rgb);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of WCAG 2, 1 to 21. */
export function contrast(a: number, b: number): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** CIE L*a*b* of an sRGB colour 0xrrggbb as these eyes see it. */
export function labOf(rgb: number, vision: Vision = 'normal'): Triple {
  const linear = linearOf(rgb);
  const seen = vision === 'normal' ? linear : apply(SIMULATIONS[vision], linear);
  const inGamut = mapTriple(seen, (channel) => Math.min(1, Math.max(0, channel)));
  const xyz = apply(XYZ_OF_LINEAR, inGamut);
  const [x, y, z] = mapTriple(xyz, (value, i) => labCurve(value / WHITE[i]!));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIEDE2000 of two sRGB colours 0xrrggbb for the eyes that see the least of it. */
export function leastDifference(a: number, b: number): number {
  return Math.min(...VISIONS.map((vision) => difference(a, b, vision)));
}

export function difference(a: number, b: number, vision: Vision): number {
  return ciede2000(labOf(a, vision), labOf(b, vision));
}

/**
 * G. Sharma, W. Wu, E. N. Dalal: The CIEDE2000 Color-Difference Formula, Color Research and
 * Application 30 (1), 2005; kL = kC = kH = 1. About 1 is just noticeable side by side.
 */
export function ciede2000(first: Triple, second: Triple): number {
  const [l1, a1, b1] = first;
  const [l2, a2, b2] = second;
  const g = 0.5 * (1 - chromaShare((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2));
  const [p1, p2] = [polar(a1 * (1 + g), b1), polar(a2 * (1 + g), b2)];
  const isGrey = p1.chroma * p2.chroma === 0;
  const hueStep = isGrey ? 0 : turn(p2.hue - p1.hue);
  const lightness = l2 - l1;
  const chroma = p2.chroma - p1.chroma;
  const hue = 2 * Math.sqrt(p1.chroma * p2.chroma) * Math.sin(radians(hueStep / 2));

  const meanL = (l1 + l2) / 2;
  const meanChroma = (p1.chroma + p2.chroma) / 2;
  const meanHue = isGrey ? p1.hue + p2.hue : (p1.hue + hueStep / 2 + 360) % 360;
  const t =
    1 -
    0.17 * cosine(meanHue - 30) +
    0.24 * cosine(2 * meanHue) +
    0.32 * cosine(3 * meanHue + 6) -
    0.2 * cosine(4 * meanHue - 63);
  const fromMiddle = (meanL - 50) ** 2;
  const byLightness = lightness / (1 + (0.015 * fromMiddle) / Math.sqrt(20 + fromMiddle));
  const byChroma = chroma / (1 + 0.045 * meanChroma);
  const byHue = hue / (1 + 0.015 * meanChroma * t);
  const blueTurn = 30 * Math.exp(-(((meanHue - 275) / 25) ** 2));
  const rotation = -2 * chromaShare(meanChroma) * Math.sin(radians(2 * blueTurn));
  return Math.sqrt(byLightness ** 2 + byChroma ** 2 + byHue ** 2 + rotation * byChroma * byHue);
}

function chromaShare(chroma: number): number {
  return Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
}

function polar(a: number, b: number): { chroma: number; hue: number } {
  const degrees = (Math.atan2(b, a) * 180) / Math.PI;
  return { chroma: Math.hypot(a, b), hue: degrees < 0 ? degrees + 360 : degrees };
}

/** The short way round, in degrees from −180 to 180. */
function turn(degrees: number): number {
  if (degrees > 180) return degrees - 360;
  return degrees < -180 ? degrees + 360 : degrees;
}

function cosine(degrees: number): number {
  return Math.cos(radians(degrees));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

function labCurve(share: number): number {
  return share > 216 / 24389 ? Math.cbrt(share) : ((24389 / 27) * share + 16) / 116;
}

function apply(matrix: Matrix, [x, y, z]: Triple): Triple {
  return mapTriple(matrix, (row) => row[0] * x + row[1] * y + row[2] * z);
}

function mapTriple<T>(values: readonly [T, T, T], f: (value: T, i: number) => number): Triple {
  return [f(values[0], 0), f(values[1], 1), f(values[2], 2)];
}
