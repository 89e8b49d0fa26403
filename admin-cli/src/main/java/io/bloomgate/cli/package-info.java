/**
 * The command line: arguments to one control request, or to offline work, to human, json or raw
 * output.
 *
 * <p>{@link io.bloomgate.cli.BloomgateCli} is the composition root and the only class that others
 * start; {@link io.bloomgate.cli.CommandTree} lists every command, one class or group a file.
 * Commands talk to the gateway through {@link io.bloomgate.cli.Exchange} and print through {@link
 * io.bloomgate.cli.Output}, which escapes what comes from outside. One thread, one command.
 */
@NullMarked
package io.bloomgate.cli;

import org.jspecify.annotations.NullMarked;
