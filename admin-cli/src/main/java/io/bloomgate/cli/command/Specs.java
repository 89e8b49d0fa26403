package io.bloomgate.cli.command;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Describes commands and their arguments without annotations. To read annotations, Java makes
 * classes at run time, which takes 30 ms of CPU in each process: so the commands that scripts call
 * often, and what is above them, are described by this. Called while the tree is built; one thread.
 */
public final class Specs {

  private Specs() {}

  /** A command without arguments. */
  public static CommandSpec command(Object command, String... description) {
    CommandSpec spec = CommandSpec.wrapWithoutInspection(command);
    spec.usageMessage().description(description);
    return spec;
  }

  /**
   * Adds examples to the help.
   *
   * @param arguments of each, behind the name of the command
   */
  public static CommandSpec withExamples(CommandSpec spec, String... arguments) {
    String[] footer = new String[2 + arguments.length];
    footer[0] = "";
    footer[1] = "Example:";
    for (int i = 0; i < arguments.length; i++) {
      footer[2 + i] = ("  ${COMMAND-FULL-NAME} " + arguments[i]).stripTrailing();
    }
    spec.usageMessage().footer(footer);
    return spec;
  }

  /** An option that takes one value, the last one where it is repeated. */
  public static <T> OptionSpec.Builder option(
      Class<T> type, String label, Consumer<T> taker, String... names) {
    return bound(OptionSpec.builder(names).type(type).paramLabel(label), taker);
  }

  /** An option that takes one text. */
  public static OptionSpec.Builder text(String label, Consumer<String> taker, String... names) {
    return option(String.class, label, taker, names);
  }

  /** An option that takes a text each time. */
  public static OptionSpec.Builder texts(
      String label, Consumer<List<String>> taker, String... names) {
    return bound(
        OptionSpec.builder(names).type(List.class).auxiliaryTypes(String.class).paramLabel(label),
        taker);
  }

  /** An option without a value. */
  public static OptionSpec.Builder flag(Consumer<Boolean> taker, String... names) {
    return bound(OptionSpec.builder(names).type(boolean.class), taker);
  }

  /** An argument without a name. */
  public static PositionalParamSpec.Builder argument(
      String label, String arity, Consumer<String> taker) {
    return bound(
        PositionalParamSpec.builder().type(String.class).paramLabel(label).arity(arity), taker);
  }

  /** All arguments without a name. */
  public static PositionalParamSpec.Builder arguments(
      String label, String arity, Consumer<List<String>> taker) {
    return bound(
        PositionalParamSpec.builder()
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel(label)
            .arity(arity),
        taker);
  }

  private static <T> OptionSpec.Builder bound(OptionSpec.Builder option, Consumer<T> taker) {
    Bound<T> bound = new Bound<>(taker);
    return option.getter(bound).setter(bound);
  }

  private static <T> PositionalParamSpec.Builder bound(
      PositionalParamSpec.Builder argument, Consumer<T> taker) {
    Bound<T> bound = new Bound<>(taker);
    return argument.getter(bound).setter(bound);
  }

  /** Hands a value on, and keeps it for the parser, which adds to a list that is there. */
  private static final class Bound<T> implements IGetter, ISetter {
    private final Consumer<T> taker;
    private @Nullable Object value;

    Bound(Consumer<T> taker) {
      this.taker = taker;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the parser calls it
    public <V> @Nullable V get() {
      return (V) value;
    }

    @Override
    @SuppressWarnings("unchecked") // the parser converts to the type of the argument
    public <V> @Nullable V set(@Nullable V now) {
      V before = (V) value;
      value = now;
      if (now != null) {
        taker.accept((T) now);
      }
      return before;
    }
  }
}
