package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.config.control.ControlClient;
import io.bloomgate.config.control.ControlClient.ControlException;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListName;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate __complete KIND}: the words that only a running gateway knows, each with a tab
 * and a short text behind it. The scripts of {@code bloomgate completion} run it. It never fails:
 * without a gateway, or when the gateway does not answer at once, there are no words.
 *
 * <p>Words come from feeds' names and from entries, and a shell puts them into a command line; so
 * only those are printed that no shell takes for anything but a word.
 */
@Command(hidden = true, description = "Print words for completion.")
final class CompleteCommand implements Callable<Integer> {

  static final String NAME = "__complete";

  /** A person waits for the words. */
  private static final Duration PATIENCE = Duration.ofMillis(700);

  private static final Duration REFUSALS_SINCE = Duration.ofDays(7);
  private static final int MOST_REFUSALS = 20;
  private static final int MOST_ENTRIES = 200;

  private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9.][A-Za-z0-9._:/@+=-]{0,253}");

  private final Invocation in;

  @Parameters(index = "0", description = "feeds, refusals, allow or block")
  private String kind = "";

  CompleteCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() {
    try (ControlClient client = ControlClient.connect(in.socket(), PATIENCE)) {
      words(client).forEach(this::print);
    } catch (ControlException | CliException e) {
      // Nobody asked for a word about it: the key was pressed while a command is being written.
    }
    return ExitCode.OK;
  }

  private Map<String, String> words(ControlClient client) throws ControlException {
    return switch (kind) {
      case "feeds" -> of(client.ask(new ControlRequest.FeedsList()).items(), "feed", "state");
      case "refusals" -> refusals(client);
      case "allow" -> entries(client, ListName.ALLOW);
      case "block" -> entries(client, ListName.BLOCK);
      default -> Map.of();
    };
  }

  /** Finds the refusals; in mode observe there are only mails that would have been refused. */
  private Map<String, String> refusals(ControlClient client) throws ControlException {
    for (String verdict : List.of("reject", "would_reject")) {
      Map<String, String> found =
          of(
              client
                  .ask(
                      new ControlRequest.SessionsList(
                          in.around().clock().instant().minus(REFUSALS_SINCE),
                          null,
                          null,
                          null,
                          verdict,
                          null,
                          MOST_REFUSALS))
                  .items(),
              "id",
              "client_ip");
      if (!found.isEmpty()) {
        return found;
      }
    }
    return Map.of();
  }

  private static Map<String, String> entries(ControlClient client, ListName list)
      throws ControlException {
    return of(
        client.ask(new ControlRequest.ListShow(list, "", MOST_ENTRIES)).items(),
        "subject",
        "reason");
  }

  private static Map<String, String> of(List<JsonObject> items, String word, String text) {
    Map<String, String> words = new LinkedHashMap<>();
    for (JsonObject item : items) {
      item.text(word)
          .filter(w -> HARMLESS.matcher(w).matches())
          .ifPresent(w -> words.putIfAbsent(w, HumanText.value(item, text)));
    }
    return words;
  }

  private void print(String word, String text) {
    in.around().out().print(word + "\t" + TerminalText.safe(text) + "\n");
  }
}
