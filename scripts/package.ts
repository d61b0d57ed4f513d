/** `npm run package`: makes forge.vsix and says how large it is. */

import { packageVsix } from "./packageVsix.ts";

const sizeBytes = await packageVsix();
console.log(`forge.vsix: ${(sizeBytes / 1024 / 1024).toFixed(2)} MB`);
