#!/usr/bin/env node
// @ts-check
"use strict";
const { existsSync } = require("node:fs");

// from-source.mjs exists only in a clone of the repository, where there may be no build.
if (existsSync(`${__dirname}/from-source.mjs`)) void import("./from-source.mjs");
// oxlint-disable-next-line import/no-unassigned-import
else require("../dist/main.cjs");
