package io.bloomgate.cli.command;

import java.lang.reflect.AnnotatedElement;
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

  /** The place of the name of a command in its texts. */
  private static final String NAME = "${COMMAND-FULL-NAME}";

  private final CliCommand group;
  private final Map<String, Supplier<?>> commands = new LinkedHashMap<>();

  /** Text of the help about the group where its class is that of several groups. */
  private String description = "";

  private String example = "";

  /** A group that has no commands yet. */
  public Subcommands(CliCommand group) {
    this.group = group;
  }

  /** Says in the help what this group does, in place of the annotations of its class. */
  public Subcommands describe(String text, String anExample) {
    description = text;
    example = anExample;
    return this;
  }

  /** Adds commands that are methods of the group, of these names. */
  public Subcommands add(String... methods) {
    for (String method : methods) {
      add(
          method,
          () ->
              Stream.<Class<?>>iterate(group.getClass(), Class::getSuperclass)
                  .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                  .filter(each -> each.getName().equals(method))
                  .findFirst()
                  .orElseThrow());
    }
    return this;
  }

  /**
   * Adds a command.
   *
   * @param made makes its object, or the group that it is
   */
  public Subcommands add(String command, Supplier<?> made) {
    commands.put(command, made);
    return this;
  }

  /**
   * The group with its commands.
   *
   * @param in the call of them all
   * @param words of the call; among them are the names of the commands that may be meant
   */
  public CommandLine tree(Invocation in, Set<String> words, Others others) {
    return filled(whole(group, in), in, words, others);
  }

  /** Adds the commands: to a group that the words do not name, only those that they name. */
  private CommandLine filled(CommandLine above, Invocation in, Set<String> words, Others others) {
    if (!description.isEmpty()) {
      above.getCommandSpec().usageMessage().description(description).footer(footer(example));
    }
    commands.forEach((name, made) -> {
      boolean whole = others == Others.WHOLE || words.contains(name);
      if (whole || others == Others.NAMED) {
        Object command = made.get();
        Object own = command instanceof Subcommands below ? below.group : command;
        CommandLine line = whole ? whole(own, in) : named(own);
        if (command instanceof Subcommands below) {
          below.filled(line, in, words, whole ? others : Others.LEFT_OUT);
        }
        above.addSubcommand(name, line);
      }
    });
    return above;
  }

  private static CommandLine whole(Object command, Invocation in) {
    if (command instanceof CliCommand called) {
      called.in = in;
    }
    CommandLine line = new CommandLine(command);
    Example example = element(command).getAnnotation(Example.class);
    if (example != null) {
      line.getCommandSpec().usageMessage().footer(footer(example.value()));
    }
    return line;
  }

  private static String[] footer(String... examples) {
    return Stream.concat(
            Stream.of("", "Example:"),
            Stream.of(examples).map(each -> ("  " + named(each)).stripTrailing()))
        .toArray(String[]::new);
  }

  private static String named(String example) {
    return example.contains(NAME) ? example : NAME + " " + example;
  }

  /** A command that does not run: it has no options, and the description that its group shows. */
  private static CommandLine named(Object command) {
    Command about = element(command).getAnnotation(Command.class);
    CommandSpec spec = CommandSpec.wrapWithoutInspection(command);
    if (about != null) {
      spec.usageMessage().description(about.description()).hidden(about.hidden());
    }
    return new CommandLine(spec);
  }

  private static AnnotatedElement element(Object command) {
    return command instanceof Method method ? method : command.getClass();
  }
}
