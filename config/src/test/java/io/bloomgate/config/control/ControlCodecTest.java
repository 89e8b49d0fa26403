package io.bloomgate.config.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.json.RandomJson;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The control protocol: every request and reply survives the wire; garbage gets a sentence. */
class ControlCodecTest {

  private static final int REQUEST_KINDS = 46;

  @Test
  void namesTheCommandThatTheUserTyped() {
    assertEquals(
        "report good", ControlCodec.words(new ControlRequest.SpamReport(true, "x", List.of())));
    assertEquals(
        "report spam", ControlCodec.words(new ControlRequest.SpamReport(false, "x", List.of())));
    assertEquals("feeds list", ControlCodec.words(new ControlRequest.FeedsList()));
  }

  @Test
  void everyRequestSurvivesTheWire() {
    for (long seed = 0; seed < 3000; seed++) {
      ControlRequest request = request(new Random(seed), (int) (seed % REQUEST_KINDS));
      String line = ControlCodec.encode(request);
      assertFalse(line.contains("\n"), "seed " + seed);
      assertEquals(Parsed.ok(request), ControlCodec.decodeRequest(line), "seed " + seed);
    }
  }

  @Test
  void theGeneratorMakesEveryKindOfRequest() {
    long kinds =
        IntStream.range(0, REQUEST_KINDS)
            .mapToObj(kind -> request(new Random(1), kind).getClass())
            .distinct()
            .count();
    assertEquals(
        Stream.of(ControlRequest.class.getDeclaredClasses()).filter(Class::isRecord).count(),
        kinds);
  }

  @Test
  void everyReplySurvivesTheWire() {
    for (long seed = 0; seed < 2000; seed++) {
      ControlReply reply = reply(new Random(seed), (int) (seed % 5));
      assertEquals(
          Parsed.ok(reply), ControlCodec.decodeReply(ControlCodec.encode(reply)), "seed " + seed);
    }
  }

  @Test
  void requestsAreReadableByHand() {
    assertEquals(
        "{\"command\":\"allow.add\",\"subjects\":[\"192.0.2.1\"],\"incident\":null,"
            + "\"from_cidr\":null,\"expires\":\"2026-12-01T00:00:00Z\",\"reason\":\"partner\",\"scope\":null,"
            + "\"any_scope\":false,\"force\":false,\"for_ever\":false,\"like\":null,\"unused\":null}",
        ControlCodec.encode(
            new ListAdd(
                ListKind.ALLOW,
                List.of("192.0.2.1"),
                null,
                null,
                Instant.parse("2026-12-01T00:00:00Z"),
                "partner",
                null,
                false,
                false)));
    assertInstanceOf(
        Parsed.Ok.class,
        ControlCodec.decodeRequest("{\"command\":\"allow.add\",\"subjects\":[\"192.0.2.1\"]}"));
    assertEquals(
        Parsed.ok(new ControlRequest.ListShow(ListKind.BLOCK)),
        ControlCodec.decodeRequest("{\"command\":\"block.list\"}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          status                                           | not JSON
          []                                               | object
          {}                                               | `command` must be a string
          {"command":"fly"}                                | unknown
          {"command":"allow.fly"}                          | unknown
          {"command":"status","x":1}                       | field
          {"command":"status","command":"health"}          | twice
          {"command":"feeds.show"}                         | `name` must be a string
          {"command":"feeds.refresh","names":"a"}          | list of strings
          {"command":"feeds.refresh","names":[1]}          | list of strings
          {"command":"feeds.refresh","names":["a",null]}   | a list has an empty place
          {"command":"feeds.refresh","all":"yes"}          | true or false
          {"command":"feeds.disable","name":"a","for":"x"} | duration
          {"command":"mode","mode":"soft","for":"0s"}      | duration
          {"command":"feeds.rollback","name":"a","to":0}   | number of a version
          {"command":"feeds.rollback","name":"a","to":"1"} | whole number
          {"command":"allow.list","limit":-1}              | number of entries
          {"command":"allow.list","list":"block"}          | field
          {"command":"mode","mode":"loud"}                 | observe, soft, enforce
          {"command":"mode"}                               | observe, soft, enforce
          {"command":"allow.add","scope":"ip"}             | client_ip, client_name, helo
          {"command":"allow.import","file":"a","first_line":1.5} | whole number
          """)
  void aWrongRequestIsASentence(String line, String words) {
    Parsed.Bad<?> malformed = assertInstanceOf(Parsed.Bad.class, ControlCodec.decodeRequest(line));
    assertTrue(malformed.reason().contains(words), malformed::reason);
  }

  @Test
  void garbageIsARequestThatCanBeWrittenOrASentence() {
    for (long seed = 0; seed < 5000; seed++) {
      Random random = new Random(seed);
      StringBuilder line =
          new StringBuilder(ControlCodec.encode(request(random, random.nextInt(REQUEST_KINDS))));
      for (int i = random.nextInt(4); i >= 0; i--) {
        line.setCharAt(random.nextInt(line.length()), (char) random.nextInt(0x180));
      }
      String text = line.toString();
      Parsed<ControlRequest> read = ControlCodec.decodeRequest(text);
      if (read instanceof Parsed.Ok(ControlRequest request, var _)) {
        assertEquals(
            request,
            ControlCodec.decodeRequest(ControlCodec.encode(request)).toOptional().orElseThrow(),
            "seed " + seed);
      }
      assertInstanceOf(Parsed.Bad.class, ControlCodec.decodeReply(text), "seed " + seed);
    }
  }

  private static ControlRequest request(Random r, int kind) {
    return switch (kind) {
      case 0 -> new ControlRequest.Status();
      case 1 -> new ControlRequest.Health();
      case 2 ->
          new ControlRequest.Explain(RandomJson.text(r), maybe(r), maybe(r), maybe(r), maybe(r));
      case 3 -> new ControlRequest.FeedsList();
      case 4 -> new ControlRequest.FeedsShow(RandomJson.text(r));
      case 5 -> new ControlRequest.FeedsRefresh(texts(r), r.nextBoolean(), r.nextBoolean());
      case 6 -> new ControlRequest.FeedsEnable(RandomJson.text(r));
      case 7 -> new ControlRequest.FeedsDisable(RandomJson.text(r), duration(r));
      case 8 ->
          new ListAdd(
              list(r),
              texts(r),
              maybe(r),
              maybe(r),
              time(r),
              RandomJson.text(r),
              r.nextBoolean() ? null : one(r, Check.values()),
              r.nextBoolean(),
              r.nextBoolean(),
              r.nextBoolean(),
              maybe(r),
              r.nextBoolean() ? null : Duration.ofSeconds(r.nextInt(1 << 20)));
      case 9 ->
          new ControlRequest.ListShow(
              list(r),
              RandomJson.text(r),
              r.nextBoolean() ? Long.MAX_VALUE : r.nextInt(1 << 30),
              r.nextBoolean() ? null : Duration.ofSeconds(r.nextInt(1 << 20)));
      case 10 -> new ControlRequest.ListRemove(list(r), texts(r));
      case 11 -> new ControlRequest.ListCheck(list(r), RandomJson.text(r), maybe(r));
      case 12 ->
          new ControlRequest.ListImport(
              list(r),
              RandomJson.text(r),
              1 + r.nextInt(1 << 30),
              texts(r),
              r.nextBoolean(),
              r.nextBoolean());
      case 13 -> new ControlRequest.Tail(maybe(r), maybe(r));
      case 14 -> new ControlRequest.ConfigReload(r.nextBoolean());
      case 15 -> new ControlRequest.FeedsAccept(RandomJson.text(r), r.nextBoolean());
      case 16 ->
          new ControlRequest.FeedsRollback(
              RandomJson.text(r), r.nextBoolean() ? null : 1L + r.nextInt(1 << 30));
      case 17 -> new ControlRequest.Drain();
      case 18 -> new ControlRequest.Resume();
      case 19 ->
          new ControlRequest.Doctor(
              r.nextBoolean(), r.nextBoolean(), r.nextBoolean(), r.nextBoolean());
      case 20 ->
          new ControlRequest.ListEdit(
              list(r),
              texts(r),
              maybe(r),
              time(r),
              r.nextBoolean(),
              r.nextBoolean() ? null : Duration.ofSeconds(r.nextInt(1 << 20)));
      case 21 -> new ControlRequest.Audit(time(r), r.nextInt(1 << 30));
      case 22 -> new ControlRequest.Report(instant(r), one(r, ReportForm.values()), maybe(r));
      case 24 -> new ControlRequest.SessionsShow(RandomJson.text(r));
      case 25 -> new ControlRequest.SessionsTop(RandomJson.text(r), instant(r), r.nextInt(1 << 30));
      case 26 -> new ControlRequest.SessionsStats(instant(r), r.nextBoolean());
      default -> later(r, kind);
    };
  }

  /** The requests of later releases, and how long a mode holds. */
  private static ControlRequest later(Random r, int kind) {
    return switch (kind) {
      case 23 ->
          new ControlRequest.SessionsList(
              instant(r),
              maybe(r),
              maybe(r),
              maybe(r),
              maybe(r),
              maybe(r),
              r.nextInt(1 << 30),
              time(r),
              maybe(r),
              maybe(r));
      case 27 -> new ControlRequest.FeedsScore(instant(r), texts(r));
      case 28 ->
          new ControlRequest.FeedsPromote(
              RandomJson.text(r),
              r.nextBoolean(),
              r.nextBoolean() ? null : one(r, Action.values()));
      case 29 -> new ControlRequest.ConfigEffective();
      case 30 -> new ControlRequest.Support();
      case 31 -> new ControlRequest.CampaignsTop(r.nextInt(1 << 30));
      case 32 ->
          new ControlRequest.ExplainMail(
              texts(r), maybe(r), maybe(r), maybe(r), maybe(r), maybe(r));
      case 33 -> new ControlRequest.FleetStatus();
      case 34 -> new ControlRequest.FeedsHeldChanges(RandomJson.text(r), r.nextInt(1 << 30));
      case 35 -> new ControlRequest.AlarmsTest();
      case 43 -> new ControlRequest.SpamReport(r.nextBoolean(), maybe(r), texts(r));
      case 44 -> new ControlRequest.Traps(instant(r), r.nextInt(1 << 30), r.nextInt(1 << 30));
      case 36 -> new ControlRequest.AlarmsSeen(RandomJson.text(r));
      case 37 -> new ControlRequest.SparedTop(instant(r), r.nextInt(1 << 30));
      case 38 -> new ControlRequest.FeedsAdd(RandomJson.text(r));
      case 39 ->
          new ControlRequest.RecipientSet(RandomJson.text(r), 1 + r.nextInt(1 << 30), texts(r));
      case 40 -> new ControlRequest.RecipientList();
      case 41 -> new ControlRequest.RecipientRemove(texts(r));
      case 42 -> new ControlRequest.RecipientCheck(RandomJson.text(r));
      default -> new ControlRequest.SetMode(one(r, Mode.values()), duration(r));
    };
  }

  private static ControlReply reply(Random r, int kind) {
    return switch (kind) {
      case 0 -> new ControlReply.Item(RandomJson.object(r, 3));
      case 1 -> new ControlReply.Progress(RandomJson.text(r), RandomJson.object(r, 2));
      case 2 -> new ControlReply.Note(RandomJson.text(r));
      case 3 -> new ControlReply.Done(r.nextInt(80));
      default -> new ControlReply.Failed(r.nextInt(80), RandomJson.text(r), RandomJson.text(r));
    };
  }

  private static @Nullable Instant time(Random r) {
    return r.nextBoolean() ? null : instant(r);
  }

  private static Instant instant(Random r) {
    return Instant.ofEpochMilli(r.nextLong(1L << 42));
  }

  private static <E> E one(Random r, E[] values) {
    return values[r.nextInt(values.length)];
  }

  private static ListKind list(Random r) {
    return one(r, ListKind.values());
  }

  private static List<String> texts(Random r) {
    return java.util.stream.Stream.generate(() -> RandomJson.text(r)).limit(r.nextInt(4)).toList();
  }

  private static @Nullable String maybe(Random r) {
    return r.nextBoolean() ? null : RandomJson.text(r);
  }

  private static @Nullable Duration duration(Random r) {
    return r.nextBoolean() ? null : Duration.ofSeconds(r.nextInt(1, 10_000_000));
  }
}
