// Makes protect-branch.wasm out of src/layer.js and the world in wit/.

import { mkdir, writeFile } from "node:fs/promises";
import { componentize } from "@bytecodealliance/componentize-js";

const { component } = await componentize({
  sourcePath: "src/layer.js",
  witPath: "wit",
  worldName: "protect-branch",
  // A layer needs none of these, and without them it imports nothing but what its world names.
  disableFeatures: ["stdio", "random", "clocks", "http", "fetch-event"],
});

await mkdir("dist", { recursive: true });
await writeFile("dist/protect-branch.wasm", component);
