/** `npm run package`: builds forge.vsix and prints its size. */

import { packageVsix } from "./packageVsix.ts";

const sizeBytes = await packageVsix();
console.log(`forge.vsix: ${(sizeBytes / 1024 / 1024).toFixed(2)} MB`);
