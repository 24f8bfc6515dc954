import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { placeOf, routes } from "../router.js";

const server = readFileSync(new URL("../../crates/paigow-server/src/http.rs", import.meta.url), "utf8");
const views = [.../const VIEWS[^=]*= \[([^\]]*)\]/.exec(server)[1].matchAll(/"([^"]+)"/g)].map(([, path]) => path);

test("what the server answers with the page is an address of the page, and all of them are", () => {
  const found = new Set();
  for (const view of views) {
    const place = placeOf({ pathname: view.replace("{round}", "7").replace(/\{\w+\}/, "some-name.1"), search: "" });
    assert.ok(place, view);
    found.add(place.route.name);
  }
  assert.deepEqual([...found].sort(), routes.map(({ name }) => name).sort());
});

test("a house way and its clause are read from the address", () => {
  const place = placeOf({ pathname: "/house-ways/mgm-grand", search: "?clause=4" });
  assert.equal(place?.route.name, "houseWay");
  assert.deepEqual([place?.params.way, place?.query.get("clause")], ["mgm-grand", "4"]);
  assert.equal(placeOf({ pathname: "/house-ways", search: "" }), null);
});
