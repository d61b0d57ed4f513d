/**
 * Property tests try what they are given up to the length that they name: `maxLength: 60` means 60. By itself fast-check stays
 * below ten, whatever is named, and faults that need a longer story are never met.
 */

import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), defaultSizeToMaxWhenMaxSpecified: true });
