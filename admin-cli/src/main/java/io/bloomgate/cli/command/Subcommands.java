package io.bloomgate.cli.command;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command with those below it, in the order of the help. To read the options of all commands
 * takes longer than most commands do; so a call reads them of the commands that its words name, and
 * of others at most what the help of their group says. Used while the tree is built; one thread.
 */
public final class Subcommands {

  /** The commands that a call needs beside those that it names. */
  public enum Others {
    /** None: the words are right until proven wrong. */
    LEFT_OUT,
    /** Their names and descriptions, for the help and for an answer that names other commands. */
    NAMED,
    /** All of them whole. */
    WHOLE
  }

  private final Object group;
  private final Map<String, Supplier<?>> commands = new LinkedHashMap<>();

  /** Text of the help about the group where its class is that of several groups. */
  private String[] description = {};

  private String[] footer = {};

  /** A group that has no commands yet. */
  public Subcommands(Object group) {
    this.group = group;
  }

  /** Says in the help what this group does, in place of the annotation of its class. */
  public Subcommands describe(String text, String... below) {
    description = new String[] {text};
    footer = below;
    return this;
  }

  /** Adds a command that is a method of the group, of this name. */
  public void add(String method) {
    add(
        method,
        () ->
            Stream.<Class<?>>iterate(group.getClass(), Class::getSuperclass)
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(each -> each.getName().equals(method))
                .findFirst()
                .orElseThrow());
  }

  /**
   * Adds a command.
   *
   * @param made makes its object, or the group that it is
   */
  public void add(String command, Supplier<?> made) {
    commands.put(command, made);
  }

  /**
   * The group with its commands.
   *
   * @param words of the call; among them are the names of the commands that may be meant
   */
  public CommandLine tree(Set<String> words, Others others) {
    return filled(new CommandLine(group), words, others);
  }

  /** Adds the commands: to a group that the words do not name, only those that they name. */
  private CommandLine filled(CommandLine above, Set<String> words, Others others) {
    if (description.length > 0) {
      above.getCommandSpec().usageMessage().description(description).footer(footer);
    }
    commands.forEach((name, made) -> {
      boolean whole = others == Others.WHOLE || words.contains(name);
      if (whole || others == Others.NAMED) {
        Object command = made.get();
        Object own = command instanceof Subcommands below ? below.group : command;
        CommandLine line = whole ? new CommandLine(own) : named(own);
        if (command instanceof Subcommands below) {
          below.filled(line, words, whole ? others : Others.LEFT_OUT);
        }
        above.addSubcommand(name, line);
      }
    });
    return above;
  }

  /** A command that does not run: it has no options, and the description that its group shows. */
  private static CommandLine named(Object command) {
    Command about =
        command instanceof Method method
            ? method.getAnnotation(Command.class)
            : command.getClass().getAnnotation(Command.class);
    CommandSpec spec = CommandSpec.wrapWithoutInspection(command);
    if (about != null) {
      spec.usageMessage().description(about.description()).hidden(about.hidden());
    }
    return new CommandLine(spec);
  }
}
