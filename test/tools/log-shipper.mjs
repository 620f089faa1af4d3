/*
 * A log shipper and the program whose log it ships: node log-shipper.mjs FOLDER [--truncate | --reopen] [--corrected]
 *
 * The shipper keeps, by the name of the log, how far it has read. The program removes its log and starts a shorter one
 * of the same name, as log rotation does; with --truncate it cuts the file to nothing, as `copytruncate` of logrotate
 * does, and with --reopen it opens it again with O_TRUNC. The shipper reads on at its offset, which is past the end: the new log is lost, and no call fails. With
 * --corrected it starts from the beginning when the file is another one, or shorter than its offset.
 */
import { Buffer } from 'node:buffer';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const [folder, ...options] = process.argv.slice(2);

if (folder === undefined) {
  process.stderr.write('node log-shipper.mjs FOLDER [--truncate | --reopen] [--corrected]\n');
  process.exit(2);
}
const log = join(folder, 'app.log');

/** The program: does what the shipper asks for, so that the order is always the same. */
function runProgram() {
  process.title = 'app';
  process.on('message', (text) => {
    if (text === 'rotate') unlinkSync(log);
    else if (text === 'truncate') truncateSync(log);
    else if (text === 'reopen') closeSync(openSync(log, 'w'));
    else writeFileSync(log, text, { flag: 'a' });
    process.send('done');
  });
}

async function runShipper({ isCorrected, rotation }) {
  process.title = 'shipper';
  const program = fork(process.argv[1], [folder, 'program']);
  const ask = async (text) => {
    program.send(text);
    await once(program, 'message');
  };
  let known = { inode: 0, bornNs: 0n, offset: 0 };
  const ship = () => {
    const fd = openSync(log, 'r');
    const { ino: inode, birthtimeNs: bornNs, size } = fstatSync(fd, { bigint: true });
    const isOther = inode !== known.inode || bornNs !== known.bornNs || size < known.offset;
    const from = isCorrected && isOther ? 0 : known.offset;
    const buffer = Buffer.alloc(4096);
    const bytes = readSync(fd, buffer, 0, buffer.length, from);
    closeSync(fd);
    known = { inode, bornNs, offset: from + bytes };
    process.stdout.write(`shipped ${bytes} bytes from ${from} on\n`);
  };
  await ask('26 bytes of the first log\n');
  ship();
  await ask(rotation);
  await ask('16 of the second');
  ship();
  program.disconnect();
  rmSync(log);
}

if (options.includes('program')) {
  runProgram();
} else {
  const chosen = ['truncate', 'reopen'].find((way) => options.includes(`--${way}`));
  const rotation = chosen ?? 'rotate';
  await runShipper({ isCorrected: options.includes('--corrected'), rotation });
}
