// Makes the images of the README from the screenshots of the last run: `npm run pictures`. Requires pngquant.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { folder } from "./kit/screenshots.js";

const PICTURES = { "table-settled-1280-dark": "table", "lab-1280-light": "hand-lab", "odds-1280-dark": "odds" };
const images = fileURLToPath(new URL("../docs/images", import.meta.url));

mkdirSync(images, { recursive: true });
for (const [shot, name] of Object.entries(PICTURES)) {
  execFileSync("pngquant", ["--speed", "1", "--strip", "--force", "--output", join(images, `${name}.png`), "128", join(folder, `${shot}.png`)]);
}
