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

  /**
   * The entries that were named.
   *
   * @param names subjects as typed, and ids of what options name; empty when nothing is there
   * @param missing what options name and no entry has, for people
   */
  private record Named(List<String> names, List<String> missing) {}

  /** The subjects and ids as they were typed; without any, the word that options named them. */
  String typed() {
    return subjects.isEmpty() ? "with the same options" : String.join(" ", subjects);
  }

  private Named read(Invocation in, ListKind list) throws CliException {
    List<TypedSubject> things = carried.read();
    CliException.refuseIf(
        subjects.isEmpty() && things.isEmpty() && likes.isEmpty(),
        "no subject",
        "name subjects or ids as listed, or --url URL");
    List<String> names = new ArrayList<>(subjects);
    List<String> missing = new ArrayList<>();
    for (TypedSubject thing : things) {
      // A domain may have entries about its senders too: these stay.
      List<String> ids =
          ids(
              in,
              new ControlRequest.ListCheck(list, thing.subject().written()),
              entry -> CarriedOptions.isOf(thing, entry));
      add(ids, names, thing.subject().toString(), missing);
    }
    for (String like : likes) {
      List<String> ids = ids(in, new ControlRequest.ListCheck(list, "", like), _ -> true);
      add(ids, names, "an entry for the text of " + like, missing);
    }
    return new Named(names, missing);
  }

  private static void add(
      List<String> ids, List<String> names, String thing, List<String> missing) {
    if (ids.isEmpty()) {
      missing.add(thing);
    }
    names.addAll(ids);
  }

  private static List<String> ids(
      Invocation in, ControlRequest.ListCheck request, Predicate<JsonObject> wanted)
      throws CliException {
    List<String> ids = new ArrayList<>();
    int asked =
        in.collect(
            request,
            entry -> {
              if (wanted.test(entry)) {
                entry.text("id").ifPresent(ids::add);
              }
            });
    if (asked != ExitCode.OK && asked != ExitCode.NO) {
      throw new CliException(asked, "the entries cannot be looked up", "repeat the command");
    }
    return ids;
  }

  /**
   * Sends the request for what was found, and says what was not.
   *
   * @param request makes it of the names
   */
  int send(Invocation in, ListKind list, Function<List<String>, ControlRequest> request)
      throws CliException {
    Named named = read(in, list);
    for (String missing : named.missing()) {
      in.output().note("not found: " + missing);
    }
    if (named.names().isEmpty()) {
      return ExitCode.NO;
    }
    int done = in.ask(request.apply(named.names()), EntryText::change);
    return !named.missing().isEmpty() && done == ExitCode.OK ? ExitCode.PARTLY : done;
  }
}
