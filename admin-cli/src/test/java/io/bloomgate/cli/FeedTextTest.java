package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlReply.Progress;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.settings.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a person sees of feeds: the table, one feed, a refresh, scores; to the letter. */
class FeedTextTest extends ScriptedAnswers {

  /** At the first start nothing has failed yet. */
  @Test
  void aFeedThatWasNeverTriedWaits() throws IOException {
    Shell.Result result =
        shown(
                "feeds list",
                """
                {"feed":"urls","state":"failed","entries":0,"invalid":0,"changed":null,\
                "success":null,"attempt":null,"next":null,"hits_24h":0,"action":"reject",\
                "problem":"waiting for the first fetch","health":"note",\
                "last_check":"untried"}\
                """)
            .prints("urls  note    not yet           0");
    assertTrue(result.out().endsWith("reject\nurls: waiting for the first fetch\n"), result.out());
  }

  @Test
  void feedsAreATable() throws IOException {
    shown(
            "feeds list",
            """
            {"feed":"spamhaus-drop","state":"fresh","entries":1612,"invalid":0,\
            "changed":"2026-11-21T04:40:00Z","success":"2026-11-21T05:40:00Z",\
            "attempt":"2026-11-21T05:40:00Z","next":"2026-11-21T17:40:00Z",\
            "hits_24h":812,"action":"reject","problem":null,"health":"good",\
            "last_check":"fresh"}\
            """,
            """
            {"feed":"urlhaus","state":"stale","entries":210114,"invalid":55,\
            "changed":"2026-11-17T07:00:00Z","success":null,"attempt":null,"next":null,\
            "hits_24h":3,"action":"reject","problem":"HTTP 503\\u001b",\
            "health":"alarm","last_check":"failed"}\
            """)
        .answers(
            """
            FEED           HEALTH  LAST CHECK  ENTRIES  CHANGED  SUCCESS  NEXT     HITS 24h  ACTION
            spamhaus-drop  good    fresh         1,612  3 h ago  2 h ago  in 10 h       812  reject
            urlhaus        alarm   failed      210,114  4 d ago  -        -               3  reject
            ! urlhaus: HTTP 503\\u001b
            """);
  }

  /** The health is one thing, what the last check saw another. */
  @Test
  void aDisabledFeedAndAListThatIsAskedByDnsHaveTheirOwnWords() throws IOException {
    Shell.Result result =
        answered(
            replies(
                feed("a", "unchanged", "alarm", "\"unchanged\""),
                feed("b", "disabled", "good", "\"failed\""),
                feed("c", "dns", "good", "null"),
                feed("d", "off", "alarm", "null"),
                new Done(0)),
            "feeds",
            "list");
    assertEquals(
        List.of("alarm unchanged", "disabled failed", "good dns", "alarm off"),
        result
            .out()
            .lines()
            .skip(1)
            .map(line -> line.split(" {2,}", -1))
            .map(cells -> cells[1] + " " + cells[2])
            .toList());
  }

  private static ControlReply feed(String name, String state, String health, String lastCheck) {
    return item(
        "{\"feed\":\"%s\",\"state\":\"%s\",\"health\":\"%s\",\"last_check\":%s}"
            .formatted(name, state, health, lastCheck));
  }

  @Test
  void refreshShowsProgressBesideTheAnswer() throws IOException {
    Shell.Result result =
        answered(
            replies(
                new Progress("drop: fetching", JsonValue.object().build()),
                item("{\"feed\":\"drop\",\"state\":\"held\",\"entries\":5,\"problem\":\"shrank\"}"),
                new Done(1)),
            "feeds",
            "refresh",
            "drop");
    assertEquals(
        new Shell.Result(
            1,
            """
            drop  held  5 entries  ! shrank
              to see what it would change: bloomgate feeds diff drop --held --socket SOCKET
              to let it in: bloomgate feeds accept drop --socket SOCKET
            """
                .replace("SOCKET", socket.toString()),
            "drop: fetching\n"),
        result);
  }

  @Test
  void scoresAreATableAndAdvice() throws IOException {
    String common = "\"sessions\":12000,\"since\":\"2026-01-01T00:00:00Z\",";
    try (FakeGateway gateway =
        FakeGateway.answering(
            socket,
            item(
                "{"
                    + common
                    + """
                    "feed":"drop","action":"tag","hits":2911,"only_here":37,
                    "shared":[{"feed":"psbl","sessions":2874,"percent":99}],"accepted_senders":0,
                    "later_allowed":0,"days_stale":0,"entries":1400,"step_back":false,
                    "fetched_octets":3145728,"memory_octets":52429,"auto":true,
                    "settings_action":"observe",
                    "advice":"keeps 37 of its 2 911 hits alone; ready for reject"}
                    """),
            item(
                "{"
                    + common
                    + """
                    "feed":"psbl","action":"reject","hits":3000,"only_here":126,"shared":[],
                    "accepted_senders":6,"later_allowed":1,"days_stale":null,"entries":null,
                    "step_back":true,"advice":"STEP BACK to tag: \\u001b[2J"}
                    """),
            new Done(0))) {
      assertEquals(
          """
          12,000 sessions since 2026-01-01T00:00:00Z
          FEED  ACTION                         HITS  ONLY HERE  SHARED WITH  ACCEPTED SENDERS  LATER ALLOWED  DAYS STALE  ENTRIES  FETCHED   MEMORY
          drop  tag auto (settings: observe)  2,911         37  psbl 99 %                   0              0           0    1,400  3.0 MiB  0.1 MiB
          psbl  reject                        3,000        126  -                           6              1           -        -        -        -
          drop: keeps 37 of its 2 911 hits alone; ready for reject
          psbl: STEP BACK to tag: \\u001b[2J
          """,
          run("feeds", "score", "a", "b", "--since", "2026-01-01").out());
      assertEquals(
          List.of(
              new ControlRequest.FeedsScore(
                  Instant.parse("2026-01-01T00:00:00Z"), List.of("a", "b"))),
          gateway.asked());
    }
    run("feeds", "score", "--since", "2031-01-01").exits(2);
  }

  private Shell.Result promoted(Path settings, String answer, String... more) throws IOException {
    Files.deleteIfExists(socket);
    List<String> words =
        new ArrayList<>(List.of("-c", settings.toString(), "feeds", "promote", "drop"));
    words.addAll(List.of(more));
    try (FakeGateway gateway = FakeGateway.answering(socket, item(answer), new Done(0))) {
      Shell.Result result = run(words.toArray(String[]::new));
      assertEquals(
          new ControlRequest.FeedsScore(Instant.EPOCH, List.of("drop")),
          gateway.asked().getFirst());
      assertEquals(
          result.exitCode() == 0 && List.of(more).contains("--apply")
              ? List.of(new ControlRequest.FeedsPromote("drop", false, Action.TAG))
              : List.of(),
          gateway.asked().subList(1, gateway.asked().size()));
      return result;
    }
  }

  @Test
  void onlyAReadyFeedIsPromotedAndOnlyWhenAsked() throws IOException {
    String ready =
        """
        {"feed":"drop","action":"observe","next":"tag","ready":true,"step_back":false,
        "advice":"ready for tag"}
        """;
    String notReady = ready.replace("\"ready\":true", "\"ready\":false");
    String written =
        """
        domains: [example.com]
        downstream: {host: 127.0.0.1}
        feeds:
          sources:
            drop:
              file: /etc/drop.txt
              action: observe   # for now
        """;
    Path settings = Files.writeString(folder.resolve("s.yaml"), written);
    promoted(settings, notReady, "--apply").exits(1);
    promoted(settings, ready)
        .exits(0)
        .answers(
            """
            drop: ready for tag
              `bloomgate feeds promote drop --apply -c FILE --socket SOCKET` writes it into the settings file
            """
                .replace("FILE", settings.toString())
                .replace("SOCKET", socket.toString()));
    assertEquals(written, Files.readString(settings));
    promoted(settings, ready, "--apply").exits(0);
    assertEquals(written.replace("action: observe", "action: tag"), Files.readString(settings));
    promoted(settings, notReady, "-o", "json").exits(1);
  }

  @Test
  void autoAsksTheGatewayToFollowTheEvidence() throws IOException {
    Item drop = item("{\"feed\":\"drop\",\"advice\":\"not ready for tag\"}");
    try (FakeGateway gateway = FakeGateway.answering(socket, drop, new Done(0))) {
      run("feeds", "promote", "drop", "--auto")
          .exits(0)
          .answers(
              """
              drop: not ready for tag
                evidence moves it from now on; `bloomgate feeds promote drop --no-auto --socket SOCKET` \
              takes that back
              """
                  .replace("SOCKET", socket.toString()));
      run("feeds", "promote", "drop", "--no-auto").exits(0);
      assertEquals(
          List.of(
              new ControlRequest.FeedsPromote("drop", true, null),
              new ControlRequest.FeedsPromote("drop", false, null)),
          gateway.asked());
      run("feeds", "promote", "drop", "--auto", "--apply").exits(2);
    }
  }
}
