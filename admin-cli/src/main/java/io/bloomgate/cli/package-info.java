/**
 * The command line: {@link io.bloomgate.cli.BloomgateCli} is the composition root and the only
 * class that others start, {@link io.bloomgate.cli.CommandTree} lists every command in the order of
 * the help.
 *
 * <p>Commands without a package of their own are here. One thread, one command.
 */
@NullMarked
package io.bloomgate.cli;

import org.jspecify.annotations.NullMarked;
