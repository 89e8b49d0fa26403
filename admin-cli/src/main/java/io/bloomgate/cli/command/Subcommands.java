package io.bloomgate.cli.command;

import java.lang.reflect.Method;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * Puts commands below another one, in the order of the help, and makes only those that this call
 * can mean: to make all of them takes longer than most commands do. Used while the tree is built;
 * one thread.
 */
public final class Subcommands {

  private final CommandLine above;
  private final Invocation in;

  /** Puts commands below another one, for this call. */
  public Subcommands(CommandLine above, Invocation in) {
    this.above = above;
    this.in = in;
  }

  /** Adds a command that is a method of the object above, of this name, when it is wanted. */
  public void add(String method) {
    add(
        method,
        () -> {
          Class<?> group = above.getCommand().getClass();
          Method command = CommandLine.getCommandMethods(group, method).getFirst();
          command.setAccessible(true);
          return new CommandLine(command);
        });
  }

  /**
   * Adds a command when it is wanted.
   *
   * @param command makes its object, or its own tree
   */
  public void add(String name, Supplier<?> command) {
    if (in.wants(name)) {
      above.addSubcommand(name, command.get());
    }
  }
}
