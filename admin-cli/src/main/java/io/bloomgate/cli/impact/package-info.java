/**
 * The commands {@code impact} and {@code replay}: what lists would change for mail that came
 * before. On the thread of the command line.
 */
@NullMarked
package io.bloomgate.cli.impact;

import org.jspecify.annotations.NullMarked;
