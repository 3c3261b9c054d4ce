#!/usr/bin/env node
// @ts-check
"use strict";
const { existsSync } = require("node:fs");

// from-source.mjs exists only in a clone of the repository, where there may be no build.
if (existsSync(`${__dirname}/from-source.mjs`)) void import("./from-source.mjs");
// The path is computed, so that types can be checked without a build.
else require(`${__dirname}/../dist/main.cjs`);
