import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** Values that were set on audio parameters since the last test. */
let values = [];
let contexts = [];

class Param {
  set value(value) { values.push(value); }
  setValueAtTime(value, at) { values.push(value, at); }
  exponentialRampToValueAtTime(value, at) {
    assert.ok(value > 0, "an exponential ramp must not reach zero");
    values.push(value, at);
  }
}

class Node {
  gain = new Param();
  frequency = new Param();
  Q = new Param();
  outputs = [];
  connect(node) { this.outputs.push(node); return node; }
  start(at) { this.started = at; }
  stop(at) { this.stopped = at; }
}

class FakeContext {
  state = "suspended";
  currentTime = 1;
  sampleRate = 8;
  destination = new Node();
  nodes = [];
  constructor() { contexts.push(this); }
  async resume() { this.state = "running"; }
  #create() { const node = new Node(); this.nodes.push(node); return node; }
  createGain() { return this.#create(); }
  createOscillator() { return this.#create(); }
  createBufferSource() { return this.#create(); }
  createBiquadFilter() { return this.#create(); }
  createBuffer(_channels, length) { return { getChannelData: () => new Float32Array(length) }; }
}

const stored = new Map();
const activation = { hasBeenActive: true };
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });
globalThis.localStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value) };
globalThis.document = { documentElement: { dataset: {} }, querySelector: () => null };
Object.defineProperty(globalThis, "navigator", { value: { userActivation: activation }, configurable: true });
const { sound, SOUNDS, notes } = await import("../sound.js");
const { settings } = await import("../settings.js");

beforeEach(() => {
  values = [];
  activation.hasBeenActive = true;
  settings.change({ sound: false });
});

test("sounds are off by default and the choice is stored", () => {
  assert.equal(sound.on, false);
  sound.toggle();
  assert.equal(sound.on, true);
  assert.equal(JSON.parse(stored.get("paigow.settings")).sound, true);
  sound.toggle();
  assert.equal(sound.on, false);
});

test("without Web Audio a sound does nothing", async () => {
  settings.change({ sound: true });
  for (const name of SOUNDS) await sound.play(name);
});

test("an audio context is created only for a sound, after a gesture, and only once", async () => {
  globalThis.AudioContext = FakeContext;
  await sound.play("chip");
  assert.equal(contexts.length, 0, "sounds are off");
  settings.change({ sound: true });
  activation.hasBeenActive = false;
  await sound.play("chip");
  assert.equal(contexts.length, 0, "the player has not used the page");
  activation.hasBeenActive = true;
  await sound.play("chip");
  await sound.play("deal");
  assert.equal(contexts.length, 1);
  const [output] = contexts[0].nodes;
  assert.deepEqual(output.outputs, [contexts[0].destination]);
  const toDestination = contexts[0].nodes.filter((node) => node.outputs.includes(contexts[0].destination));
  assert.equal(toDestination.length, 1, "all sounds go through one gain node");
});

test("all sounds can be played, and options scale them", async () => {
  settings.change({ sound: true });
  const [context] = contexts;
  for (const name of SOUNDS) await sound.play(name, { pitch: 1.5, gain: 0.5, duration: 0.04 });
  assert.ok(values.every((value) => Number.isFinite(value)), "all values are numbers");
  const started = context.nodes.filter((node) => node.started !== undefined);
  assert.ok(started.length > SOUNDS.length);
  assert.ok(started.every((node) => node.started >= context.currentTime && node.stopped > node.started));
});

test("an unknown sound does not throw", async (t) => {
  t.mock.method(console, "warn", () => {});
  settings.change({ sound: true });
  await sound.play("gong");
});

test("sounds have the lengths of the design", () => {
  const end = (name) => Math.round(Math.max(...notes(name, () => 0.5).map(({ at, duration }) => at + duration)) * 1000);
  assert.equal(end("deal"), 60);
  assert.equal(end("chip"), 50);
  assert.equal(end("paid"), 4 * 45 + 50);
  assert.equal(end("taken"), 180);
  assert.equal(end("turn-to-act"), 200);
  assert.equal(end("big-win"), 900);
  assert.equal(notes("dice").filter((note) => "band" in note).length, 6);
});
