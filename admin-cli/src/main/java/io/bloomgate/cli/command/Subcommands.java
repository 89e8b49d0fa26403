package io.bloomgate.cli.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * Puts commands below another one, in the order of the help, and makes only those that this call
 * can mean: to make all of them takes longer than most commands do. Used while the tree is built;
 * one thread.
 */
public final class Subcommands {

  private final String name;
  private final CommandLine above;
  private final Invocation in;
  private final Map<String, Supplier<?>> commands = new LinkedHashMap<>();

  private Subcommands(String name, CommandLine above, Invocation in) {
    this.name = name;
    this.above = above;
    this.in = in;
  }

  /** Puts commands below the group of a name, or below another command, for this call. */
  public static Subcommands of(String name, Object group, Invocation in) {
    return new Subcommands(name, WrittenSpec.of(group), in);
  }

  /** Puts commands below the program itself, for this call. */
  public static Subcommands ofProgram(Object root, Invocation in) {
    return new Subcommands("", WrittenSpec.of(root), in);
  }

  /** Adds a command that is a method of the group, of this name. */
  public void add(String method) {
    add(method, () -> WrittenSpec.of(above.getCommand(), method));
  }

  /**
   * Adds a command.
   *
   * @param made makes its object, or its own tree
   */
  public void add(String command, Supplier<?> made) {
    commands.put(command, made);
  }

  /**
   * The group with its commands: those that the words of the call name, or all where they name the
   * group and none of them, which asks about the group.
   */
  public CommandLine tree() {
    in.words().ifPresent(this::leaveOut);
    commands.forEach((command, made) -> {
      Object below = made.get();
      above.addSubcommand(command, below instanceof CommandLine ? below : WrittenSpec.of(below));
    });
    return above;
  }

  private void leaveOut(Set<String> words) {
    if (commands.keySet().stream().anyMatch(words::contains)) {
      commands.keySet().retainAll(words);
    } else if (!name.isEmpty() && !words.contains(name)) {
      commands.clear();
    }
  }
}
