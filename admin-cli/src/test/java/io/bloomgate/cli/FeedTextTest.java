package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Progress;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a person sees of feeds: the table, one feed, a refresh; to the letter. */
class FeedTextTest extends ScriptedAnswers {

  /** At the first start nothing has failed yet. */
  @Test
  void aFeedThatWasNeverTriedWaits() throws IOException {
    Shell.Result result =
        answered(
                replies(
                    item(
                        """
                        {"feed":"urls","state":"failed","entries":0,"invalid":0,"changed":null,\
                        "success":null,"attempt":null,"next":null,"hits_24h":0,"action":"reject",\
                        "problem":"waiting for the first fetch","health":"note",\
                        "last_check":"untried"}\
                        """),
                    new Done(0)),
                "feeds",
                "list")
            .prints("urls  note    not yet           0");
    assertTrue(result.out().endsWith("reject\nurls: waiting for the first fetch\n"), result.out());
  }

  @Test
  void feedsAreATable() throws IOException {
    answered(
            replies(
                item(
                    """
                    {"feed":"spamhaus-drop","state":"fresh","entries":1612,"invalid":0,\
                    "changed":"2026-11-21T04:40:00Z","success":"2026-11-21T05:40:00Z",\
                    "attempt":"2026-11-21T05:40:00Z","next":"2026-11-21T17:40:00Z",\
                    "hits_24h":812,"action":"reject","problem":null,"health":"good",\
                    "last_check":"fresh"}\
                    """),
                item(
                    """
                    {"feed":"urlhaus","state":"stale","entries":210114,"invalid":55,\
                    "changed":"2026-11-17T07:00:00Z","success":null,"attempt":null,"next":null,\
                    "hits_24h":3,"action":"reject","problem":"HTTP 503\\u001b",\
                    "health":"alarm","last_check":"failed"}\
                    """),
                new Done(0)),
            "feeds",
            "list")
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
}
