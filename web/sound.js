// Sounds of the table, synthesized with the Web Audio API. They are off until the player turns them on.

import { settings } from "./settings.js";

/**
 * @typedef {keyof typeof SCORES} SoundName
 * @typedef {{ pitch?: number, gain?: number, duration?: number }} SoundOptions `pitch` and `gain` are factors; `duration` in seconds replaces the duration of a noise
 * @typedef {object} Tone a tone that decays
 * @property {number} at start in seconds
 * @property {number} hz
 * @property {number} duration
 * @property {number} gain
 * @property {number} [to] frequency at the end
 * @property {OscillatorType} [shape]
 * @typedef {object} Noise a burst of filtered noise
 * @property {number} at
 * @property {[number, number]} band lower and upper frequency
 * @property {number} duration
 * @property {number} gain
 * @typedef {Tone | Noise} Note
 */

const VOLUME = 0.8;
/** End level of a decay. An exponential decay must not reach zero. */
const SILENCE = 0.001;
/** Seconds before the first note, so that it does not start in the past. */
const LEAD = 0.01;
/** Milliseconds after which a sound that could not start is dropped. */
const STALE_MS = 250;

/** @param {number} at @param {[number, number]} band @param {number} duration @param {number} gain @returns {Noise} */
const noise = (at, band, duration, gain) => ({ at, band, duration, gain });

/** @param {number} at @param {number} hz @param {number} duration @param {number} gain @param {Partial<Tone>} [more] @returns {Tone} */
const tone = (at, hz, duration, gain, more) => ({ at, hz, duration, gain, ...more });

/** One chip on the felt. @param {number} at @returns {Note[]} */
const chip = (at) => [tone(at, 2100, 0.05, 0.22), tone(at, 3400, 0.05, 0.14), noise(at, [800, 2000], 0.02, 0.12)];

/** Notes of each sound. @satisfies {Record<string, (random: () => number) => Note[]>} */
const SCORES = {
  deal: () => [noise(0, [2000, 5000], 0.06, 0.9)],
  turn: () => [tone(0, 1500, 0.012, 0.18, { shape: "square" }), noise(0.004, [1800, 6000], 0.04, 0.6)],
  squeeze: () => [noise(0, [600, 2200], 0.09, 0.25)],
  chip: () => chip(0),
  paid: () => [0, 1, 2, 3, 4].flatMap((index) => chip(index * 0.045)),
  taken: () => [noise(0, [180, 900], 0.18, 0.9), tone(0, 240, 0.18, 0.16, { to: 110 })],
  dice: (random) => Array.from({ length: 6 }, (_, index) => {
    const at = index * 0.1 + random() * 0.06;
    return [noise(at, [1500, 4500], 0.025, 0.6), tone(at, 700 + random() * 500, 0.03, 0.1)];
  }).flat(),
  legal: () => [tone(0, 880, 0.09, 0.2)],
  foul: () => [tone(0, 180, 0.09, 0.3), tone(0.13, 180, 0.12, 0.3)],
  "turn-to-act": () => [tone(0, 660, 0.13, 0.22), tone(0.07, 990, 0.13, 0.22)],
  tick: () => [tone(0, 1200, 0.035, 0.2)],
  win: () => [tone(0, 523.25, 0.24, 0.26), tone(0.13, 659.25, 0.36, 0.28)],
  push: () => [tone(0, 440, 0.3, 0.22)],
  "big-win": () => [523.25, 659.25, 783.99, 1046.5, 1318.51].flatMap((hz, index) => [
    tone(index * 0.12, hz, index === 4 ? 0.42 : 0.26, 0.26, { shape: "triangle" }), tone(index * 0.12, hz * 2, 0.12, 0.08)]),
};

/** Names of all sounds. */
export const SOUNDS = /** @type {SoundName[]} */ (Object.keys(SCORES));

/** Returns the notes of a sound. @param {SoundName} name @param {() => number} [random] @returns {Note[]} */
export const notes = (name, random = Math.random) => SCORES[name](random);

class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {GainNode | null} */
  #output = null;
  /** @type {AudioBuffer | null} */
  #hiss = null;

  /** Whether sounds are on. */
  get on() {
    return settings.value.sound;
  }

  /** Turns sounds on or off. The setting is stored. */
  toggle() {
    settings.change({ sound: !this.on });
    this.play("legal");
  }

  /** Plays a sound, if sounds are on and the player has used the page. @param {SoundName} name @param {SoundOptions} [options] */
  async play(name, options = {}) {
    if (!this.on || navigator.userActivation?.hasBeenActive === false) return;
    const asked = performance.now();
    try {
      const context = this.#open();
      if (context?.state === "suspended") await context.resume();
      if (!context || performance.now() - asked > STALE_MS) return;
      const start = context.currentTime + LEAD;
      for (const note of notes(name)) this.#note(context, start, note, options);
    } catch (error) {
      // A sound that cannot be played must not stop the table.
      console.warn(error);
    }
  }

  /** Returns the audio context, created at the first sound; `null` in browsers without Web Audio. */
  #open() {
    if (!this.#context && typeof AudioContext === "function") {
      this.#context = new AudioContext();
      this.#output = this.#context.createGain();
      this.#output.gain.value = VOLUME;
      this.#output.connect(this.#context.destination);
    }
    return this.#context;
  }

  /** @param {AudioContext} context @param {number} start @param {Note} note @param {SoundOptions} options */
  #note(context, start, note, { pitch = 1, gain = 1, duration }) {
    const at = start + note.at;
    const length = "band" in note ? (duration ?? note.duration) : note.duration;
    const source = "band" in note ? this.#noise(context, note, pitch) : this.#tone(context, note, at, pitch);
    const level = context.createGain();
    level.gain.setValueAtTime(SILENCE, at);
    level.gain.exponentialRampToValueAtTime(note.gain * gain, at + Math.min(0.006, length / 4));
    level.gain.exponentialRampToValueAtTime(SILENCE, at + length);
    source.last.connect(level).connect(/** @type {GainNode} */ (this.#output));
    source.first.start(at);
    source.first.stop(at + length + 0.02);
  }

  /** @param {AudioContext} context @param {Tone} note @param {number} at @param {number} pitch */
  #tone(context, { hz, to, duration, shape = "sine" }, at, pitch) {
    const oscillator = context.createOscillator();
    oscillator.type = shape;
    oscillator.frequency.setValueAtTime(hz * pitch, at);
    if (to) oscillator.frequency.exponentialRampToValueAtTime(to * pitch, at + duration);
    return { first: oscillator, last: oscillator };
  }

  /** @param {AudioContext} context @param {Noise} note @param {number} pitch */
  #noise(context, { band: [low, high] }, pitch) {
    this.#hiss ??= whiteNoise(context);
    const source = context.createBufferSource();
    source.buffer = this.#hiss;
    source.loop = true;
    const filter = context.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = Math.sqrt(low * high) * pitch;
    filter.Q.value = Math.sqrt(low * high) / (high - low);
    source.connect(filter);
    return { first: source, last: filter };
  }
}

/** One second of white noise. @param {AudioContext} context */
function whiteNoise(context) {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  return buffer;
}

export const sound = new Sound();
