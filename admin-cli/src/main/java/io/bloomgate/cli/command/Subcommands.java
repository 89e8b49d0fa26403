package io.bloomgate.cli.command;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * A command with those below it, in the order of the help. To read the options of all commands
 * takes longer than most commands do; so a call reads them of the commands that its words name.
 * Help, completion and the answer to a mistyped word need names and descriptions only. One thread.
 */
public final class Subcommands {

  /** The place of the name of a command in its texts. */
  private static final String NAME = "${COMMAND-FULL-NAME}";

  private final Group group;
  private final Map<String, Supplier<?>> commands = new LinkedHashMap<>();

  /** Text of the help about the group where its class is that of several groups. */
  private String description = "";

  private String example = "";

  /** A group that has no commands yet. */
  public Subcommands(Group group) {
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
   * @param wanted the names of the commands that may be meant; others are left out
   */
  public CommandLine tree(Invocation in, Predicate<String> wanted) {
    CommandLine tree = line(group, in);
    group.commands = this;
    if (!description.isEmpty()) {
      tree.getCommandSpec().usageMessage().description(description).footer(footer(example));
    }
    commands.forEach((name, made) -> {
      if (wanted.test(name)) {
        Object command = made.get();
        tree.addSubcommand(
            name,
            command instanceof Subcommands below ? below.tree(in, wanted) : line(command, in));
      }
    });
    return tree;
  }

  private static CommandLine line(Object command, Invocation in) {
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
            Stream.of(examples)
                .map(each -> "  " + (each.contains(NAME) ? each : (NAME + " " + each).strip())))
        .toArray(String[]::new);
  }

  /** The names of all commands. */
  public List<String> names() {
    return List.copyOf(commands.keySet());
  }

  /** The groups among them that have a command of this name. */
  public List<String> groupsWith(String name) {
    return commands.entrySet().stream()
        .filter(each ->
            each.getValue().get() instanceof Subcommands below && below.commands.containsKey(name))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The first line of the description of a command. */
  public String about(String name) {
    Object command = commands.getOrDefault(name, () -> group).get();
    if (command instanceof Subcommands below) {
      return below.description.isEmpty() ? about((Object) below.group) : below.description;
    }
    return about(command);
  }

  private static String about(Object command) {
    Command about = element(command).getAnnotation(Command.class);
    return about == null || about.description().length == 0 ? "" : about.description()[0];
  }

  /** True when one of the commands can answer from files in place of the gateway. */
  public boolean readsFiles() {
    return group instanceof ReadsFiles
        || commands.values().stream()
            .map(Supplier::get)
            .anyMatch(command ->
                command instanceof ReadsFiles
                    || (command instanceof Subcommands below && below.readsFiles()));
  }

  private static AnnotatedElement element(Object command) {
    return command instanceof Method method ? method : command.getClass();
  }
}
