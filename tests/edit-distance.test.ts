import { expect, it } from "vitest";
import { nearestWord } from "../src/edit-distance.js";

it.each([
  ["modl", ["model", "mode"], "model"],
  ["HELP", ["help", "exit"], "help"],
  ["com", ["compact", "copy"], "compact"],
  ["o", ["on", "off"], "on"],
  ["permisions", ["permissions", "sessions"], "permissions"],
  // A short word is like another only by one letter, or by two that are swapped.
  ["onn", ["on", "off"], "on"],
  ["aks", ["ask", "chat"], "ask"],
  ["foo", ["on", "off"], undefined],
  ["nothing", ["help", "exit"], undefined],
])("%s among %j means %s", (word, candidates, nearest) => {
  expect(nearestWord(word, candidates)).toBe(nearest);
});
