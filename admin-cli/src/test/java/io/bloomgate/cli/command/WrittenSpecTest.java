package io.bloomgate.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The files of the build make the same command as the annotations. */
class WrittenSpecTest {

  /** A group as the commands have them. */
  @Command(
      addMethodSubcommands = false,
      description = {"What it does.", "For ${COMMAND-FULL-NAME}."},
      exitCodeListHeading = "%nCodes:%n",
      exitCodeList = {" 0:yes", " 1:no"},
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} x"})
  static final class Trial extends Group {

    @Mixin private final Outer outer = new Outer();

    @Option(
        names = {"-c", "--count"},
        paramLabel = "N",
        required = true,
        description = "how many")
    private long count = 7;

    @Option(names = "--part", split = ",", hideParamSyntax = true)
    private List<String> parts = List.of("a");

    @Option(names = "--held", negatable = true)
    private boolean held;

    @Option(
        names = "--output",
        converter = Values.FormatWord.class,
        completionCandidates = Values.FormatWord.class)
    private GlobalOptions.Format format = GlobalOptions.Format.HUMAN;

    @Parameters(index = "0", paramLabel = "FIRST", description = "the first")
    private String first = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "REST")
    private List<String> rest = List.of();

    String said = "";

    @Command(description = "Say something.")
    int say(
        @Mixin Outer mixed,
        @Option(names = "--loud") boolean loud,
        @Option(names = "--times", defaultValue = "2") int times,
        @Parameters(arity = "0..1", paramLabel = "WORD") String word) {
      said = mixed.inner.where + " " + mixed.name + " " + loud + " " + times + " " + word;
      return 3;
    }
  }

  /** Options with options inside. */
  static final class Outer {
    @Mixin private final Inner inner = new Inner();

    @Option(names = "--name", description = "of it")
    private String name = "none";

    @Spec CommandSpec spec = CommandSpec.create();
  }

  static final class Inner {
    @Option(names = "--where")
    private String where = "here";
  }

  private static Map<String, byte[]> written(Trial trial) throws IOException {
    CommandLine tree = new CommandLine(trial);
    tree.addSubcommand("say", CommandLine.getCommandMethods(Trial.class, "say").getFirst());
    return SpecWriter.files(tree);
  }

  private static CommandLine read(Trial trial) throws IOException {
    Map<String, byte[]> files = written(trial);
    CommandLine read = WrittenSpec.of(trial, name -> in(files, name));
    return read.addSubcommand("say", WrittenSpec.of(trial, "say", name -> in(files, name)));
  }

  private static ByteArrayInputStream in(Map<String, byte[]> files, String name) {
    return new ByteArrayInputStream(files.getOrDefault(name, new byte[0]));
  }

  private static List<String> arguments(CommandLine command) {
    List<String> arguments = new ArrayList<>();
    for (ArgSpec arg : command.getCommandSpec().args()) {
      arguments.add(
          String.join(
              " ",
              arg.paramLabel(),
              arg.arity().toString(),
              arg.typeInfo().toString(),
              arg.splitRegex(),
              Arrays.toString(arg.description()),
              String.valueOf(arg.required()),
              String.valueOf(arg.defaultValue()),
              String.valueOf(
                  arg.isOption() ? "" : ((CommandLine.Model.PositionalParamSpec) arg).index()),
              Arrays.toString(arg.converters()).replaceAll("@[0-9a-f]+", ""),
              arg.completionCandidates() == null
                  ? ""
                  : String.join(",", arg.completionCandidates())));
    }
    return arguments;
  }

  @Test
  void theCommandIsThatOfTheAnnotations() throws IOException {
    CommandLine annotated = new CommandLine(new Trial());
    annotated.addSubcommand("say", CommandLine.getCommandMethods(Trial.class, "say").getFirst());
    CommandLine read = read(new Trial());
    assertEquals(annotated.getUsageMessage(), read.getUsageMessage());
    assertEquals(arguments(annotated), arguments(read));
    CommandLine say = Objects.requireNonNull(annotated.getSubcommands().get("say"));
    CommandLine readSay = Objects.requireNonNull(read.getSubcommands().get("say"));
    assertEquals(say.getUsageMessage(), readSay.getUsageMessage());
    assertEquals(arguments(say), arguments(readSay));
  }

  @Test
  void valuesComeIntoFieldsAndThoseOfMixins() throws IOException {
    Trial trial = new Trial();
    read(trial)
        .parseArgs(
            "one",
            "two",
            "--where",
            "there",
            "-c",
            "5",
            "three",
            "--no-held",
            "--part",
            "x,y",
            "--output",
            "json");
    assertEquals(
        "there none 5 one [two, three] [x, y] false JSON",
        String.join(
            " ",
            trial.outer.inner.where,
            trial.outer.name,
            String.valueOf(trial.count),
            trial.first,
            trial.rest.toString(),
            trial.parts.toString(),
            String.valueOf(trial.held),
            trial.format.name()));
  }

  @Test
  void aMethodGetsItsArguments() throws IOException {
    Trial trial = new Trial();
    assertEquals(3, read(trial).execute("-c", "1", "x", "say", "--loud", "--name", "n", "hello"));
    assertEquals("here n true 2 hello", trial.said);
    assertEquals(3, read(trial).execute("-c", "1", "x", "say"));
    assertEquals("here none false 2 null", trial.said);
  }
}
