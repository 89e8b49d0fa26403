package io.bloomgate.config.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.json.RandomJson;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Role;
import io.bloomgate.config.settings.Mode;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The control protocol: every request and reply survives the wire; garbage gets a sentence. */
class ControlCodecTest {

  private static final List<Class<?>> KINDS =
      Stream.of(ControlRequest.class.getDeclaredClasses()).filter(Class::isRecord).toList();

  @Test
  void namesTheCommandThatTheUserTyped() {
    assertEquals(
        "report good", ControlCodec.words(new ControlRequest.SpamReport(true, "x", List.of())));
    assertEquals(
        "report spam", ControlCodec.words(new ControlRequest.SpamReport(false, "x", List.of())));
    assertEquals("feeds list", ControlCodec.words(new ControlRequest.FeedsList()));
    assertEquals("block add", ControlCodec.words(add(ListKind.BLOCK)));
    assertEquals("mode", ControlCodec.words(new ControlRequest.SetMode(Mode.SOFT, null)));
  }

  private static ListAdd add(ListKind list) {
    return new ListAdd(list, List.of("a.example"), null, null, null, "", null, false, false);
  }

  @Test
  void whatAsksIsForReadersAndWhatChangesSomethingForAdministrators() {
    var imported = new ControlRequest.ListImport(ListKind.ALLOW, "x", 1, List.of(), false);
    var shown = new ControlRequest.Report(Instant.EPOCH, ReportForm.TEXT, null);
    var sent = new ControlRequest.Report(Instant.EPOCH, ReportForm.TEXT, "a@example.com");
    assertEquals(Role.READ, new ControlRequest.Status().needed());
    assertEquals(Role.ADMIN, new ControlRequest.Drain().needed());
    assertEquals(List.of(Role.ADMIN, Role.READ), needed(imported, imported.onTrial()));
    assertEquals(List.of(Role.ADMIN, Role.READ), needed(sent, shown));
    assertEquals(
        List.of(Role.ADMIN, Role.SUPPORT), needed(add(ListKind.BLOCK), add(ListKind.ALLOW)));
    assertTrue(Role.SUPPORT.covers(Role.READ) && Role.SUPPORT.covers(Role.SUPPORT));
    assertFalse(Role.SUPPORT.covers(Role.ADMIN) || Role.NONE.covers(Role.READ));
  }

  private static List<Role> needed(ControlRequest... requests) {
    return Stream.of(requests).map(ControlRequest::needed).toList();
  }

  @Test
  void everyRequestSurvivesTheWire() {
    for (long seed = 0; seed < 800; seed++) {
      ControlRequest request = request(new Random(seed), (int) (seed % KINDS.size()));
      String line = ControlCodec.encode(request);
      assertFalse(line.contains("\n"), "seed " + seed);
      assertEquals(Parsed.ok(request), ControlCodec.decodeRequest(line), "seed " + seed);
    }
  }

  @Test
  void everyReplySurvivesTheWire() {
    for (long seed = 0; seed < 500; seed++) {
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
        Parsed.ok(new ControlRequest.ListShow(ListKind.BLOCK, "", Long.MAX_VALUE, null)),
        ControlCodec.decodeRequest("{\"command\":\"block.list\"}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          status                                           | not JSON
          {}                                               | `command` must be a string
          {"command":"fly"}                                | unknown
          {"command":"status","x":1}                       | field
          {"command":"status","command":"health"}          | twice
          {"command":"feeds.show"}                         | `name` must be a string
          {"command":"feeds.refresh","names":"a"}          | list of strings
          {"command":"feeds.refresh","names":["a",null]}   | a list has an empty place
          {"command":"feeds.refresh","all":"yes"}          | true or false
          {"command":"feeds.disable","name":"a","for":"x"} | duration
          {"command":"mode","mode":"soft","for":"0s"}      | duration
          {"command":"feeds.rollback","name":"a","to":0}   | number of a version
          {"command":"allow.list","limit":-1}              | number of entries
          {"command":"allow.list","list":"block"}          | field
          {"command":"mode","mode":"loud"}                 | observe, soft, enforce
          {"command":"allow.add","scope":"ip"}             | client_ip, client_name, helo
          {"command":"allow.import","file":"a","first_line":1.5} | whole number
          """)
  void aWrongRequestIsASentence(String line, String words) {
    Parsed.Bad<?> malformed = assertInstanceOf(Parsed.Bad.class, ControlCodec.decodeRequest(line));
    assertTrue(malformed.reason().contains(words), malformed::reason);
  }

  @Test
  void garbageIsARequestThatCanBeWrittenOrASentence() {
    for (long seed = 0; seed < 1500; seed++) {
      Random random = new Random(seed);
      StringBuilder line =
          new StringBuilder(ControlCodec.encode(request(random, random.nextInt(KINDS.size()))));
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
    RecordComponent[] components = KINDS.get(kind).getRecordComponents();
    try {
      return (ControlRequest)
          KINDS
              .get(kind)
              .getDeclaredConstructor(
                  Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new))
              .newInstance(Stream.of(components).map(each -> value(r, each)).toArray());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static @Nullable Object value(Random r, RecordComponent component) {
    Class<?> type = component.getType();
    if (component.getAnnotatedType().isAnnotationPresent(Nullable.class) && r.nextBoolean()) {
      return null;
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[r.nextInt(type.getEnumConstants().length)];
    }
    return switch (type.getSimpleName()) {
      case "String" -> RandomJson.text(r);
      case "List" -> Stream.generate(() -> RandomJson.text(r)).limit(r.nextInt(4)).toList();
      case "boolean" -> r.nextBoolean();
      case "int" -> r.nextInt(1, 1 << 30);
      case "long", "Long" -> r.nextLong(1, 1L << 50);
      case "Instant" -> Instant.ofEpochMilli(r.nextLong(1L << 42));
      case "Duration" -> Duration.ofSeconds(r.nextInt(1, 10_000_000));
      default -> throw new AssertionError(type);
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
}
