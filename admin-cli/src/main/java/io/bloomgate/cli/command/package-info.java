/**
 * The parts of every command: its base ({@link io.bloomgate.cli.command.CliCommand}), its call with
 * the requests to the gateway ({@link io.bloomgate.cli.command.Invocation}), options and values,
 * and what it prints ({@link io.bloomgate.cli.command.Output}), where everything from outside is
 * escaped.
 *
 * <p>The other packages of the command line call it, on the one thread of the command.
 */
@NullMarked
package io.bloomgate.cli.command;

import org.jspecify.annotations.NullMarked;
