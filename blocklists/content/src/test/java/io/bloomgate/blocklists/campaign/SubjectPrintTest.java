package io.bloomgate.blocklists.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bloomgate.config.name.Fingerprint;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which subjects have the same fingerprint, and which have none. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class SubjectPrintTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Your parcel 4711 waits             | your parcel 0 waits",
        "RE: Fwd: AW: WG: Your  parcel waits | your parcel waits",
        "Re[2]: re : Your parcel waits      | your parcel waits",
        "Reply now to your bank             | reply now to your bank",
        "Invoice #12,345.67 (EUR)           | invoice 0 eur",
        "A1B22C                             | a0b0c",
        "*** W.I.N.N.E.R ***                | winner",
        "ＦＲＥＥ gift for you                 | free gift for you",
        "Straße STRASSE                     | strasse strasse",
        "ΟΔΥΣΣΕΥΣ ὀδυσσεύς                   | οδυσσευσ ὀδυσσεύσ",
        "Your pay\u200bment fai\u00adled      | your payment failed",
        "Your\u00a0\u2003payment failed      | your payment failed",
        "\u202ewon uoy\u202c                 | won uoy",
        "१२३ नमस्ते दुनिया                     | 0 नमस्ते दुनिया",
        "\ud83d\ude00 Big sale \ud83d\ude00   | big sale",
        "'\ud83d broken'                    | broken",
        "''                                 | ''",
        "Re:                                | ''",
      })
  void normalises(String subject, String normalised) {
    assertEquals(normalised, SubjectPrint.normalised(subject));
  }

  /** The value is exchanged between gateways: it never changes. */
  @Test
  void valueIsFixed() {
    assertEquals(
        Fingerprint.parse("54c388c2ff83a291521fe855fedc3e91c2e123afa6bf78fcc75be37dd4d71f74")
            .toOptional(),
        SubjectPrint.of("Re: Your parcel 4711 waits"));
  }

  @Test
  void threadsDoNotDisturbEachOther() {
    List<String> subjects =
        IntStream.range(0, 20).mapToObj(i -> "payment failed " + "again ".repeat(i)).toList();
    List<Optional<Fingerprint>> alone = subjects.stream().map(SubjectPrint::of).toList();
    IntStream.range(0, 20_000)
        .parallel()
        .forEach(i -> assertEquals(alone.get(i % 20), SubjectPrint.of(subjects.get(i % 20))));
  }

  @Test
  void shortSubjectsHaveNone() {
    assertEquals(Optional.empty(), SubjectPrint.of(""));
    assertEquals(Optional.empty(), SubjectPrint.of("Hello 1234567890 123"));
    assertEquals(Optional.empty(), SubjectPrint.of("abcdefghijk"));
    assertNotEquals(Optional.empty(), SubjectPrint.of("abcdefghijkl"));
  }

  /** Fields of a mail are read up to 64 KiB: what is not seen in front of words hides none. */
  @Test
  void fillerHidesNoWords() {
    String words = "your payment has failed again";
    for (String filler : List.of(" ", "\u200b", "*", "re: ", "\u00ad ")) {
      assertEquals(SubjectPrint.of(words), SubjectPrint.of(filler.repeat(16_000) + words));
    }
  }

  /** A subject of nothing else once ended the session with a StackOverflowError. */
  @Test
  void anyNumberOfAnswersIsTakenOff() throws InterruptedException {
    AtomicReference<String> text = new AtomicReference<>("");
    Runnable read =
        () -> text.set(SubjectPrint.normalised("re:".repeat(600) + "Fwd [2] : your invoice"));
    Thread small = new Thread(null, read, "small stack", 256 * 1024);
    small.start();
    small.join();
    assertEquals("your invoice", text.get());
  }
}
