// <pg-sound-toggle>: the button that turns sounds on and off.

import { h } from "../dom.js";
import { Component, define } from "../component.js";
import { settings } from "../settings.js";
import { sound } from "../sound.js";
import { words } from "../words.js";

class SoundToggle extends Component {
  begin() {
    this.on(settings, "change", () => this.update());
  }

  view() {
    return h("button", {
      type: "button", class: "icon", "aria-pressed": String(sound.on), "aria-label": words.settings.sound,
      title: sound.on ? words.settings.soundOff : words.settings.soundOn, onclick: () => sound.toggle(),
    }, h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "stroke" },
      h("path", { d: "M4 9.500v5h3.500L12 18.500v-13L7.5 9.500Z" }),
      h("path", { d: sound.on ? "M15.5 9.500a3.5 3.5 0 0 1 0 5M18 7a7 7 0 0 1 0 10" : "M16 9.500l5 5M21 9.500l-5 5" })));
  }
}

define("pg-sound-toggle", SoundToggle);
