/**
 * Manual pages in mdoc: a page for each command from the model of the command line, and the page of
 * the settings from the sample. {@link io.bloomgate.cli.ManualPages} calls it while the project is
 * built; nothing of it runs in a command. Pure.
 */
@NullMarked
package io.bloomgate.cli.manual;

import org.jspecify.annotations.NullMarked;
