package io.bloomgate.cli.command;

import java.util.concurrent.Callable;

/**
 * A command with the call that it belongs to, which the tree of commands sets before the command
 * runs. One thread.
 */
@SuppressWarnings("NullAway.Init") // a command that is only named in a help never runs
public abstract class CliCommand implements Callable<Integer> {

  protected Invocation in;
}
