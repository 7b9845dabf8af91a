/**
 * Makes the two audio cues: `node assets/build/sounds.mjs` writes static/sounds/{success,failure}.wav.
 * Plain sine tones with a soft attack and decay; 16-bit mono at 16 kHz keeps each below 16 kB.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const RATE = 16_000;
const folder = path.join(import.meta.dirname, '..', '..', 'static', 'sounds');

/** One tone: frequency in Hz, start and length in seconds, share of full volume. */
function tone(samples, frequency, start, length, volume) {
  for (let index = 0; index < length * RATE; index += 1) {
    const at = Math.round(start * RATE) + index;
    if (at >= samples.length) return;
    const time = index / RATE;
    const attack = Math.min(time / 0.008, 1);
    const decay = Math.exp((-4.5 * time) / length);
    const wave = Math.sin(2 * Math.PI * frequency * time) + 0.18 * Math.sin(4 * Math.PI * frequency * time);
    samples[at] += wave * attack * decay * volume;
  }
}

function wav(samples) {
  const data = Buffer.alloc(44 + samples.length * 2);
  data.write('RIFF', 0);
  data.writeUInt32LE(36 + samples.length * 2, 4);
  data.write('WAVEfmt ', 8);
  data.writeUInt32LE(16, 16);
  data.writeUInt16LE(1, 20);
  data.writeUInt16LE(1, 22);
  data.writeUInt32LE(RATE, 24);
  data.writeUInt32LE(RATE * 2, 28);
  data.writeUInt16LE(2, 32);
  data.writeUInt16LE(16, 34);
  data.write('data', 36);
  data.writeUInt32LE(samples.length * 2, 40);
  const fade = 0.03 * RATE;
  samples.forEach((sample, index) => {
    const out = Math.min((samples.length - index) / fade, 1);
    data.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample * out)) * 32_000), 44 + index * 2);
  });
  return data;
}

function make(name, seconds, tones) {
  const samples = new Array(Math.round(seconds * RATE)).fill(0);
  for (const [frequency, start, length, volume] of tones) tone(samples, frequency, start, length, volume);
  writeFileSync(path.join(folder, `${name}.wav`), wav(samples));
}

mkdirSync(folder, { recursive: true });
make('success', 0.45, [
  [659.26, 0, 0.28, 0.42],
  [987.77, 0.1, 0.35, 0.42],
]);
make('failure', 0.42, [
  [311.13, 0, 0.24, 0.5],
  [233.08, 0.13, 0.29, 0.5],
]);
