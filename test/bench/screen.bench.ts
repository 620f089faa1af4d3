import { Screen } from '../../src/terminal/screen.ts';
import { NoisyHeatmap } from '../terminal/pictures.ts';
import { SeededRandom } from '../random.ts';
import { processorUs } from '../../src/base/processor-time.ts';

/**
 * Cost of the screen: bytes on the wire and processor time per frame, when a heat map of two noisy
 * bands on 16 colours moves by one column and when a table changes. `paint` copies the picture into
 * the grid, `encode` finds and writes what has changed.
 */
const SIZES = [
  [80, 24],
  [200, 50],
  [300, 80],
] as const;
const FRAMES = 400;
const WARM_UP = 300;
const AXIS = 9;
const HEADER_ROWS = 2;
const TABLE_ROWS = 8;

interface Cost {
  bytes: number;
  paintMs: number;
  encodeMs: number;
}

interface Picture {
  readonly screen: Screen;
  /** Changes the picture, outside the measurement. */
  readonly change: () => void;
  readonly paint: () => void;
}

function cpuMs(): number {
  return processorUs() / 1000;
}

function measure({ screen, change, paint }: Picture): Cost {
  const total: Cost = { bytes: 0, paintMs: 0, encodeMs: 0 };
  for (let frame = -WARM_UP; frame < FRAMES; frame++) {
    change();
    const start = cpuMs();
    paint();
    const painted = cpuMs();
    const { length } = screen.encode();
    const encoded = cpuMs();
    if (frame < 0) continue;
    total.bytes += length;
    total.paintMs += painted - start;
    total.encodeMs += encoded - painted;
  }
  return {
    bytes: total.bytes / FRAMES,
    paintMs: total.paintMs / FRAMES,
    encodeMs: total.encodeMs / FRAMES,
  };
}

/** A heat map between axis and right edge, or between axis and a panel. */
function scrolling(width: number, height: number, panelWidth: number): Picture {
  const screen = new Screen(width, height);
  const mapWidth = width - AXIS - panelWidth;
  const mapHeight = height - HEADER_ROWS - TABLE_ROWS;
  const heatmap = new NoisyHeatmap(mapWidth, mapHeight, new SeededRandom(1));
  const panel = '1234567 '.slice(0, panelWidth);
  for (let y = HEADER_ROWS; y < HEADER_ROWS + mapHeight; y++) {
    screen.text(0, y, ' 100 ms ┤');
    screen.text(width - panelWidth, y, panel);
  }
  return {
    screen,
    change: () => {
      heatmap.scroll();
    },
    paint: () => {
      screen.blit(heatmap.block, AXIS, HEADER_ROWS);
      screen.scrolled({ x: AXIS, y: HEADER_ROWS, width: mapWidth, height: mapHeight }, 1);
    },
  };
}

/** Twelve figures in each of eight rows, one in three of which changes. */
function tables(width: number, height: number): Picture {
  const screen = new Screen(width, height);
  const random = new SeededRandom(2);
  const figures = Array.from({ length: TABLE_ROWS * 12 }, () => random.below(10_000));
  return {
    screen,
    change: () => {
      figures.forEach((_, i) => {
        if (random.next() < 0.33) figures[i] = random.below(10_000);
      });
    },
    paint: () => {
      figures.forEach((figure, i) => {
        const text = String(figure).padStart(5);
        screen.text((i % 12) * 6, height - TABLE_ROWS + Math.floor(i / 12), text, { fg: 14 });
      });
    },
  };
}

/** Everything redrawn, as after a resize. */
function repainted(width: number, height: number): Picture {
  const picture = scrolling(width, height, 0);
  return {
    ...picture,
    change: () => {
      picture.change();
      picture.screen.invalidate();
    },
  };
}

const CASES: Readonly<Record<string, (width: number, height: number) => Picture>> = {
  'one column, map at the right edge': (width, height) => scrolling(width, height, 0),
  'one column, panel of 8 to the right': (width, height) => scrolling(width, height, 8),
  'tables only': tables,
  'whole screen': repainted,
};

for (const [name, create] of Object.entries(CASES)) {
  for (const [width, height] of SIZES) {
    const { bytes, paintMs, encodeMs } = measure(create(width, height));
    const size = `${width}×${height}`.padEnd(7);
    const figures = `${bytes.toFixed(0).padStart(6)} B, paint ${paintMs.toFixed(3)} ms`;
    process.stdout.write(
      `${name.padEnd(36)} ${size} ${figures}, encode ${encodeMs.toFixed(3)} ms\n`,
    );
  }
}
