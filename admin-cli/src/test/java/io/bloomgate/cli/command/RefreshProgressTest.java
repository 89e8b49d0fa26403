package io.bloomgate.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.FakeGateway;
import io.bloomgate.cli.Shell;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlReply.Progress;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code feeds refresh} shows while it goes on: bars, lines or objects. */
class RefreshProgressTest {

  private static final Palette PLAIN = new Palette(false);

  @TempDir Path folder;
  private int calls;

  private static JsonObject step(String feed, String step) {
    return JsonValue.object().put("feed", feed).put("step", step).build();
  }

  private static JsonObject octets(String feed, long octets, long total) {
    JsonValue.ObjectBuilder step =
        JsonValue.object().put("feed", feed).put("step", "fetching").put("octets", octets);
    return total < 0 ? step.build() : step.put("total", total).build();
  }

  private static ControlReply progress(String feed, String step) {
    return new Progress(feed + ": " + step, step(feed, step));
  }

  /** A refresh of two feeds, of which one is large. */
  private Shell.Result refresh(Map<String, String> environment, boolean terminal, String... more)
      throws Exception {
    Path socket = folder.resolve("s" + calls++);
    try (FakeGateway gateway =
        FakeGateway.answering(
            socket,
            progress("drop", "fetching"),
            progress("mail", "fetching"),
            new Progress("", octets("drop", 3_100_000, 7_600_000)),
            new Progress("", octets("drop", 5_000_000, 7_600_000)),
            new Progress("", octets("mail", 900, -1)),
            progress("mail", "unchanged"),
            progress("drop", "reading"),
            progress("drop", "accepted"),
            new Progress("building the lists", JsonValue.object().put("step", "building").build()),
            progress("drop", "fresh"),
            new Item(JsonValue.object().put("feed", "drop").put("state", "fresh").build()),
            new Item(JsonValue.object().put("feed", "mail").put("state", "unchanged").build()),
            new Done(0))) {
      List<String> args =
          new ArrayList<>(List.of("feeds", "refresh", "--all", "--socket", socket.toString()));
      args.addAll(List.of(more));
      assertTrue(gateway.asked().isEmpty());
      return Shell.run(environment, "", terminal, args.toArray(String[]::new));
    }
  }

  @Test
  void aTerminalHasABarForEachFeedAndThenTheAnswerAlone() throws Exception {
    Shell.Result result =
        refresh(Map.of("TERM", "xterm", "NO_COLOR", "1", "COLUMNS", "100"), true)
            .exits(0)
            .isSilent();
    String out = result.out();
    String bar = "drop  [========>               ]  40 %  3.1/7.6 MB  fetching";
    Shell.assertHas(out, "\u001b[2A\r" + bar + "\u001b[K\nmail  [", "5.0 MB  building");
    assertTrue(out.endsWith("\u001b[Jdrop  fresh\nmail  unchanged\n"), out);
  }

  @Test
  void elsewhereThereIsALineForEachStep() throws Exception {
    for (Map<String, String> environment :
        List.of(Map.<String, String>of(), Map.of("TERM", "dumb"), Map.of("TERM", "xterm"))) {
      boolean dumb = !environment.containsValue("xterm");
      Shell.Result result =
          refresh(environment, dumb, "--color", "no").answers("drop  fresh\nmail  unchanged\n");
      assertEquals(
          List.of(
              "drop: fetching",
              "mail: fetching",
              "mail: unchanged",
              "drop: reading",
              "drop: accepted",
              "building the lists",
              "drop: fresh"),
          result.err().lines().toList());
    }
    assertEquals("", refresh(Map.of("TERM", "xterm"), false, "-q").err());
  }

  @Test
  void jsonKeepsStandardOutputForTheAnswer() throws Exception {
    Shell.Result result =
        refresh(Map.of("TERM", "xterm"), true, "-o", "json")
            .answers(
                """
                {"feed":"drop","state":"fresh"}
                {"feed":"mail","state":"unchanged"}
                """);
    List<String> steps = result.err().lines().toList();
    assertEquals(10, steps.size(), result.err());
    for (String line : steps) {
      JsonObject step = assertInstanceOf(JsonObject.class, Json.parse(line));
      assertTrue(step.text("step").isPresent(), line);
    }
    assertTrue(steps.get(2).contains("\"octets\":3100000,\"total\":7600000"), steps.get(2));
    assertEquals("", refresh(Map.of(), true, "-o", "json", "-q").err());
  }

  @Test
  void moreFeedsThanLinesShowThoseUnderWay() {
    RefreshBars bars = new RefreshBars(PLAIN, 10);
    for (int i = 0; i < 30; i++) {
      bars.take(step("feed" + i, i < 25 ? "unchanged" : "fetching"));
    }
    List<String> lines = bars.take(octets("feed29", 500_000, 1_000_000));
    assertEquals(6, lines.size(), lines::toString);
    assertTrue(lines.get(4).contains(" 50 %"), lines::toString);
    assertEquals("25 of 30 feeds are done", lines.getLast());
  }

  @Test
  void coloursMarkHowAFeedEnded() {
    RefreshBars bars = new RefreshBars(new Palette(true), 24);
    String all =
        String.join(
            "",
            Arrays.asList("fresh", "held", "failed").stream()
                .map(s -> bars.take(step(s, s)).getLast())
                .toList());
    Shell.assertHas(all, "\u001b[32mfresh", "\u001b[33mheld", "\u001b[31mfailed");
  }
}
