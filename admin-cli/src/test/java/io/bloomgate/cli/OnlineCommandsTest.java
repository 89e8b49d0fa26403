package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.control.ControlReply.Progress;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.control.ControlRequest.ListImport;
import io.bloomgate.config.control.ControlRequest.ListName;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands against a control socket: what is sent, and what is shown of the answer. */
class OnlineCommandsTest {

  @TempDir Path folder;
  private Path socket = Path.of("");

  @BeforeEach
  void nameTheSocket() {
    socket = folder.resolve("s");
  }

  private Shell.Result run(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--socket");
    all.add(socket.toString());
    return Shell.run(all.toArray(String[]::new));
  }

  private static Item item(String json) {
    try {
      return new Item((JsonObject) Json.parse(json));
    } catch (JsonSyntaxException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private ControlRequest asked(String... args) throws IOException {
    Files.deleteIfExists(socket);
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      Shell.Result result = run(args);
      assertEquals(0, result.exitCode(), result.err());
      assertEquals(1, gateway.asked().size());
      return gateway.asked().getFirst();
    }
  }

  @Test
  void everyCommandSendsItsRequest() throws IOException {
    assertEquals(new ControlRequest.Status(), asked("status"));
    assertEquals(new ControlRequest.Health(), asked("health"));
    assertEquals(
        new ControlRequest.Explain("a@b.example", "h", "<>", "192.0.2.1", "bob@c.example"),
        asked(
            "explain",
            "a@b.example",
            "--helo",
            "h",
            "--from",
            "<>",
            "--ip",
            "192.0.2.1",
            "--to",
            "bob@c.example"));
    assertEquals(new ControlRequest.FeedsList(), asked("feeds", "list"));
    assertEquals(new ControlRequest.FeedsShow("a"), asked("feeds", "show", "a"));
    assertEquals(
        new ControlRequest.FeedsRefresh(List.of("a", "b"), false, true),
        asked("feeds", "refresh", "a", "b", "--force"));
    assertEquals(
        new ControlRequest.FeedsRefresh(List.of(), true, false),
        asked("feeds", "refresh", "--all"));
    assertEquals(new ControlRequest.FeedsEnable("a"), asked("feeds", "enable", "a"));
    assertEquals(
        new ControlRequest.FeedsDisable("a", Duration.ofHours(2)),
        asked("feeds", "disable", "a", "--for", "2h"));
    assertEquals(new ControlRequest.ListShow(ListName.BLOCK), asked("block", "list"));
    assertEquals(new ControlRequest.ListShow(ListName.ALLOW), asked("allow", "export"));
    assertEquals(
        new ControlRequest.ListRemove(ListName.ALLOW, List.of("x", "y")),
        asked("allow", "remove", "x", "y"));
    assertEquals(new ControlRequest.ListCheck(ListName.BLOCK, "x"), asked("block", "check", "x"));
    assertEquals(
        new ControlRequest.Tail("reject", "f"),
        asked("tail", "--verdict", "reject", "--feed", "f"));
    assertEquals(new ControlRequest.ConfigReload(), asked("config", "reload"));
    assertEquals(
        new ControlRequest.SetMode(Mode.OBSERVE, Duration.ofHours(1)),
        asked("mode", "observe", "--for", "1h"));
  }

  @Test
  void addSendsEverythingThatWasSaid() throws IOException {
    assertEquals(
        new ListAdd(
            ListName.ALLOW,
            List.of("a.example"),
            null,
            "192.0.2.0/24",
            Duration.ofDays(7),
            "new partner",
            Check.SENDER,
            false,
            false),
        asked(
            "allow",
            "add",
            "a.example",
            "--from",
            "192.0.2.0/24",
            "--expires",
            "7d",
            "--reason",
            "new partner",
            "--scope",
            "sender"));
    assertEquals(
        new ListAdd(ListName.BLOCK, List.of(), "7K3Q9ZT2AB", null, null, "", null, false, true),
        asked("block", "add", "--incident", "7K3Q9ZT2AB", "--force"));
    assertEquals(
        new ListAdd(ListName.ALLOW, List.of("x"), null, null, null, "", null, true, true),
        asked("allow", "add", "x", "--scope", "any", "--force"));
  }

  @Test
  void globalOptionsStandBeforeOrAfterTheCommand() throws IOException {
    try (FakeGateway gateway =
        FakeGateway.answering(socket, item("{\"ready\":true}"), new Done(0))) {
      String[][] forms = {
        {"--socket", socket.toString(), "-o", "json", "health"},
        {"health", "--socket=" + socket, "--output=json"},
        {"-ojson", "health", "--socket", socket.toString()}
      };
      for (String[] form : forms) {
        assertEquals(new Shell.Result(0, "{\"ready\":true}\n", ""), Shell.run(form));
      }
      assertEquals(forms.length, gateway.asked().size());
    }
  }

  @Test
  void theSocketComesFromSettingsOrEnvironmentEvenWhenTheFileIsBroken() throws IOException {
    Path settings = folder.resolve("bloomgate.yaml");
    Files.writeString(settings, "mod: loud\nadmin: {socket: s}\n");
    try (FakeGateway gateway = FakeGateway.answering(socket, new Done(0))) {
      assertEquals(0, Shell.run("-c", settings.toString(), "status").exitCode());
      assertEquals(
          0,
          Shell.run(
                  Map.of("BLOOMGATE_ADMIN__SOCKET", socket.toString()),
                  "",
                  false,
                  "-c",
                  folder.resolve("none").toString(),
                  "status")
              .exitCode());
      assertEquals(2, gateway.asked().size());
    }
  }

  @Test
  void noGatewayIsExitThreeAndOneLineWithTheSocket() {
    Shell.Result result = run("status");
    assertEquals(3, result.exitCode());
    assertEquals(
        "bloomgate: no gateway answers at "
            + socket
            + "; start it with `bloomgate run`, or name its socket with --socket\n",
        result.err());
    assertEquals("", result.out());
  }

  @Test
  void aSilentGatewayIsGivenUp() throws IOException {
    try (FakeGateway gateway = FakeGateway.answering(socket)) {
      Shell.Result result = run("status", "--timeout", "1s");
      assertEquals(3, result.exitCode());
      assertTrue(result.err().contains("said nothing for 1 s"), result.err());
      assertEquals(1, gateway.asked().size());
    }
  }

  @Test
  void aGatewayThatHangsUpOrTalksNonsenseIsNoAnswer() throws IOException {
    try (FakeGateway gateway = FakeGateway.raw(socket, "{\"item\":{\"a\":1}}")) {
      Shell.Result result = run("status");
      assertEquals(3, result.exitCode());
      assertTrue(result.err().contains("ended the conversation early"), result.err());
      assertEquals(1, gateway.asked().size());
    }
    Files.delete(socket);
    try (FakeGateway gateway = FakeGateway.raw(socket, "220 mx ESMTP")) {
      Shell.Result result = run("status");
      assertEquals(3, result.exitCode());
      assertTrue(result.err().contains("no gateway of this version"), result.err());
      assertEquals(1, gateway.asked().size());
    }
  }

  @Test
  void theGatewaysNoIsPassedOn() throws IOException {
    try (FakeGateway gateway =
        FakeGateway.answering(socket, new Failed(2, "too wide\u001b[0m", "use --force"))) {
      Shell.Result result = run("allow", "add", "0.0.0.0/0");
      assertEquals(2, result.exitCode());
      assertEquals("bloomgate: too wide\\u001b[0m; use --force\n", result.err());
      assertEquals(1, gateway.asked().size());
    }
  }

  private Shell.Result answered(ControlReply[] replies, String... args) throws IOException {
    Files.deleteIfExists(socket);
    try (FakeGateway gateway = FakeGateway.answering(socket, replies)) {
      Shell.Result result = run(args);
      assertEquals(1, gateway.asked().size());
      return result;
    }
  }

  private static ControlReply[] replies(ControlReply... replies) {
    return replies;
  }

  private static final String EXPLANATION =
      """
      {"subject":"203.0.113.7","kind":"client_ip","verdict":"reject","stage":"rcpt",\
      "mode":"enforce","generation":412,"offline":false,"listings":[{"feed":"spamhaus-drop",\
      "entry":"203.0.113.0/24","line":17,"since":"2026-11-19T04:00:00Z","action":"reject",\
      "kind":"client_ip","pardon":null},{"feed":"ipsum","entry":"203.0.113.7","line":9921,\
      "since":null,"action":"observe","kind":"client_ip","pardon":"allowed"}],\
      "bloom":{"filter":"ip","hit":true,"confirmed":true},"allow":null,\
      "undo":"bloomgate allow add 203.0.113.7","incident":null,"notes":["checked"]}\
      """;

  @Test
  void explainTellsAndUndoes() throws IOException {
    Shell.Result result =
        answered(replies(item(EXPLANATION), new Done(1)), "explain", "203.0.113.7");
    assertEquals(1, result.exitCode());
    assertEquals(
        """
        203.0.113.7 would be REFUSED at RCPT   mode enforce, generation 412
          listed   spamhaus-drop  203.0.113.0/24  line 17  client_ip  since 2026-11-19  action reject
          pardoned ipsum  203.0.113.7  line 9 921  client_ip  action observe  (allowed)
          bloom    ip hit, confirmed by the exact index
          allow    none
          note     checked
          undo     bloomgate allow add 203.0.113.7
        """,
        result.out());
    assertEquals("", result.err());
  }

  @Test
  void jsonIsTheObjectOnOneLineAndNothingElse() throws IOException {
    Shell.Result result =
        answered(
            replies(
                new Progress("working", JsonValue.object().build()),
                item(EXPLANATION),
                new Note("a note"),
                new Done(1)),
            "explain",
            "203.0.113.7",
            "-o",
            "json");
    assertEquals(EXPLANATION + "\n", result.out());
    assertEquals("a note\n", result.err());
  }

  @Test
  void rawIsValuesBetweenTabs() throws IOException {
    Shell.Result result =
        answered(
            replies(item("{\"a\":\"x\\ty\",\"b\":[1,\"z\"],\"c\":null,\"d\":7}"), new Done(0)),
            "status",
            "-o",
            "raw");
    assertEquals("x\\u0009y\t[1,\"z\"]\t\t7\n", result.out());
  }

  @Test
  void feedsAreATable() throws IOException {
    Shell.Result result =
        answered(
            replies(
                item(
                    """
                    {"feed":"spamhaus-drop","state":"fresh","entries":1612,"invalid":0,\
                    "changed":"2026-11-21T04:40:00Z","success":"2026-11-21T05:40:00Z",\
                    "attempt":"2026-11-21T05:40:00Z","next":"2026-11-21T17:40:00Z",\
                    "hits_24h":812,"action":"reject","problem":null}\
                    """),
                item(
                    """
                    {"feed":"urlhaus","state":"stale","entries":210114,"invalid":55,\
                    "changed":"2026-11-17T07:00:00Z","success":null,"attempt":null,"next":null,\
                    "hits_24h":3,"action":"reject","problem":"HTTP 503\\u001b"}\
                    """),
                new Done(0)),
            "feeds",
            "list");
    assertEquals(
        """
        FEED           STATE  ENTRIES  INVALID  CHANGED  SUCCESS  NEXT     HITS 24h  ACTION
        spamhaus-drop  fresh    1 612        0  3 h ago  2 h ago  in 10 h       812  reject
        urlhaus        stale  210 114       55  4 d ago  -        -               3  reject  ! HTTP 503\\u001b
        """,
        result.out());
  }

  @Test
  void coloursOnlyWhenWanted() throws IOException {
    ControlReply[] answer = replies(item("{\"ready\":true}"), new Done(0));
    try (FakeGateway gateway = FakeGateway.answering(socket, answer)) {
      String path = socket.toString();
      assertEquals("ready\n", Shell.run("health", "--socket", path).out());
      assertEquals(
          "\u001b[32mready\u001b[0m\n",
          Shell.run("health", "--socket", path, "--color", "yes").out());
      assertEquals(
          "\u001b[32mready\u001b[0m\n",
          Shell.run(Map.of(), "", true, "health", "--socket", path).out());
      assertEquals(
          "ready\n",
          Shell.run(Map.of("NO_COLOR", "1"), "", true, "health", "--socket", path).out());
      assertEquals(
          "{\"ready\":true}\n",
          Shell.run(Map.of(), "", true, "health", "-o", "json", "--color", "yes", "--socket", path)
              .out());
      assertEquals(5, gateway.asked().size());
    }
  }

  @Test
  void statusIsOneScreen() throws IOException {
    Shell.Result result =
        answered(
            replies(
                item(
                    """
                    {"mode":"enforce","generation":412,"ready":true,"entries":{"total":1200,"ipv4":1000},\
                    "filters":{"ip":{"kind":"split-block","fill":0.4}},"sessions":12,\
                    "verdicts_1h":{"accept":2000,"reject":3},"feeds_bad":["urlhaus"],"downstream":"up",\
                    "identity":"xclient","unknown_domains":{},"uptime_s":90000}\
                    """),
                new Note("warning: disk is filling"),
                new Done(0)),
            "status");
    assertEquals(
        """
        mode enforce, generation 412, ready, up 25 h
          entries          total 1 200, ipv4 1 000
          filters.ip       kind split-block, fill 0.4
          sessions         12
          verdicts 1h      accept 2 000, reject 3
          feeds bad        urlhaus
          downstream       up
          identity         xclient
          unknown domains  -
        """,
        result.out());
    assertEquals("warning: disk is filling\n", result.err());
  }

  private static final String ENTRY =
      """
      {"id":"a1","list":"allow","subject":"203.0.113.7","kind":"network","from":null,"scope":[],\
      "reason":"partner","author":"root","created":"2026-11-21T07:00:00Z",\
      "expires":"2026-11-28T07:40:00Z","text":"203.0.113.7 # partner","change":"added"}\
      """;

  @Test
  void addSaysWhatItDoesAndQuietSaysLess() throws IOException {
    ControlReply[] answer = replies(item(ENTRY), new Note("lifts: this and that"), new Done(0));
    assertEquals(
        """
        added: allow 203.0.113.7, until 2026-11-28T07:40:00Z (in 7 d), id a1
          lifts: this and that
        """,
        answered(answer, "allow", "add", "203.0.113.7").out());
    assertFalse(answered(answer, "allow", "add", "203.0.113.7", "-q").out().contains("lifts"));
  }

  @Test
  void listsAreTablesAndExportsAreLines() throws IOException {
    ControlReply[] answer = replies(item(ENTRY), new Done(0));
    assertEquals(
        """
        ID  SUBJECT      FROM  SCOPE  EXPIRES  AUTHOR  REASON
        a1  203.0.113.7  -     -      in 7 d   root    partner
        """,
        answered(answer, "allow", "list").out());
    assertEquals("203.0.113.7 # partner\n", answered(answer, "allow", "export").out());
    assertEquals("no entries\n", answered(replies(new Done(0)), "allow", "list").out());
    Shell.Result none = answered(replies(new Done(1)), "allow", "check", "x.example");
    assertEquals(new Shell.Result(1, "no entry speaks for it\n", ""), none);
  }

  @Test
  void tailIsALineADecision() throws IOException {
    Shell.Result result =
        answered(
            replies(
                item(
                    """
                    {"ts":"2026-11-21T07:39:01.123Z","event":"verdict","verdict":"reject","stage":"rcpt",\
                    "client_ip":"203.0.113.7","helo":"h","from":"a@spam.example","to":["bob@example.com"],\
                    "feed":"drop","entry":"203.0.113.0/24","code":554,"outcome":"refused","id":"7K3Q9ZT2AB"}\
                    """),
                new Progress("", JsonValue.object().build()),
                new Done(0)),
            "tail");
    assertEquals(
        "07:39:01 reject   rcpt 203.0.113.7 from=a@spam.example to=bob@example.com feed=drop"
            + " entry=203.0.113.0/24 code=554 outcome=refused id=7K3Q9ZT2AB\n",
        result.out());
    assertEquals("", result.err());
  }

  @Test
  void modeAndReloadSayWhatHoldsNow() throws IOException {
    assertEquals(
        "mode observe, until 2026-11-21T08:40:00Z (in 60 min) (settings say enforce)\n",
        answered(
                replies(
                    item(
                        """
                        {"mode":"observe","configured":"enforce","until":"2026-11-21T08:40:00Z"}\
                        """),
                    new Done(0)),
                "mode",
                "observe",
                "--for",
                "1h")
            .out());
    assertEquals(
        "reloaded, mode soft\n",
        answered(
                replies(item("{\"reloaded\":true,\"mode\":\"soft\"}"), new Done(0)),
                "config",
                "reload")
            .out());
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
        new Shell.Result(1, "drop  held  5 entries  ! shrank\n", "drop: fetching\n"), result);
  }

  @Test
  void importSendsTheFileInPiecesAndAddsUp() throws IOException {
    Path file = folder.resolve("entries.list");
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 2500; i++) {
      text.append("host").append(i).append(".example\n");
    }
    Files.writeString(file, text.append("last.example"));
    try (FakeGateway gateway =
        FakeGateway.scripted(
            socket,
            request -> {
              ListImport piece = (ListImport) request;
              return List.of(
                  new Note(piece.file() + ":" + piece.firstLine() + ": seen"),
                  item("{\"added\":" + (piece.lines().size() - 1) + ",\"skipped\":1}"),
                  new Done(4));
            })) {
      Shell.Result result = run("allow", "import", file.toString(), "-o", "json");
      assertEquals(4, result.exitCode());
      assertEquals(
          "{\"file\":\""
              + file
              + "\",\"added\":2498,\"changed\":0,\"unchanged\":0,\"skipped\":3}\n",
          result.out());
      List<ListImport> pieces = gateway.asked().stream().map(ListImport.class::cast).toList();
      assertEquals(List.of(1, 1001, 2001), pieces.stream().map(ListImport::firstLine).toList());
      assertEquals("last.example", pieces.getLast().lines().getLast());
      assertEquals(501, pieces.getLast().lines().size());
    }
  }

  @Test
  void importStopsWhereTheGatewayFails() throws IOException {
    try (FakeGateway gateway =
        FakeGateway.answering(socket, new Failed(1, "disk full", "make room"))) {
      Shell.Result result =
          Shell.run(
              Map.of(),
              "a.example\n".repeat(3000),
              false,
              "block",
              "import",
              "-",
              "--socket",
              socket.toString());
      assertEquals(1, result.exitCode());
      assertEquals(1, gateway.asked().size());
      assertTrue(result.err().contains("disk full"), result.err());
    }
    assertEquals(2, run("allow", "import", folder.resolve("none").toString()).exitCode());
  }
}
