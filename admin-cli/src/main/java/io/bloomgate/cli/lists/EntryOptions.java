package io.bloomgate.cli.lists;

import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The options by which {@code remove} and {@code edit} name existing entries: by subject or id, and
 * by the options of {@link CarriedOptions}. Mixed into these commands; one thread.
 */
final class EntryOptions {

  @Parameters(
      paramLabel = "SUBJECT",
      arity = "0..*",
      completionCandidates = LiveWords.Entries.class,
      description = "subjects or ids as listed")
  private List<String> subjects = new ArrayList<>();

  @Mixin private CarriedOptions carried = new CarriedOptions();

  @Option(
      names = "--like",
      paramLabel = "ID",
      completionCandidates = LiveWords.Refusals.class,
      description = {
        "the entries for texts like that of this mail; ID is that of its session",
        "or refusal"
      })
  private List<String> likes = new ArrayList<>();

  /** The subjects and ids as they were typed; without any, the word that options named them. */
  String typed() {
    return subjects.isEmpty() ? "with the same options" : String.join(" ", subjects);
  }

  /**
   * Sends the request for the entries that were named, and says what was not found.
   *
   * @param request makes it of subjects as typed, and of ids of what options name
   */
  int send(Invocation in, ListKind list, Function<List<String>, ControlRequest> request)
      throws CliException {
    List<TypedSubject> things = carried.read();
    CliException.refuseIf(
        subjects.isEmpty() && things.isEmpty() && likes.isEmpty(),
        "no subject",
        "name subjects or ids as listed, or --url URL");
    List<String> names = new ArrayList<>(subjects);
    int found = names.size();
    int exitCode = ExitCode.OK;
    for (TypedSubject thing : things) {
      // A domain may have entries about its senders too: these stay.
      String text = thing.subject().written();
      ids(
          in,
          new ControlRequest.ListCheck(list, text, null),
          e -> CarriedOptions.isOf(thing, e),
          names);
      exitCode = found(names.size() > found, thing.subject().toString(), in, exitCode);
      found = names.size();
    }
    for (String like : likes) {
      ids(in, new ControlRequest.ListCheck(list, "", like), _ -> true, names);
      exitCode = found(names.size() > found, "an entry for the text of " + like, in, exitCode);
      found = names.size();
    }
    if (names.isEmpty()) {
      return ExitCode.NO;
    }
    int done = in.ask(request.apply(names), EntryText::change);
    return done == ExitCode.OK ? exitCode : done;
  }

  private static int found(boolean isThere, String what, Invocation in, int exitCode) {
    if (!isThere) {
      in.output().note("not found: " + what);
    }
    return isThere ? exitCode : ExitCode.PARTLY;
  }

  private static void ids(
      Invocation in,
      ControlRequest.ListCheck request,
      Predicate<JsonObject> wanted,
      List<String> into)
      throws CliException {
    int asked =
        in.collect(
            request,
            entry -> {
              if (wanted.test(entry)) {
                entry.text("id").ifPresent(into::add);
              }
            });
    if (asked != ExitCode.OK && asked != ExitCode.NO) {
      throw new CliException(asked, "the entries cannot be looked up", "repeat the command");
    }
  }
}
