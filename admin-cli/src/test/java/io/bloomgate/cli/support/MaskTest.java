package io.bloomgate.cli.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is taken out of texts and of lines of a log. */
class MaskTest {

  private final Mask mask = new Mask(List.of("s3cret", "s3cret-long"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the key s3cret-long and s3cret.    | the key *** and ***.
          https://u:p@lists.example/a?key=1  | https://lists.example/a?...
          "https://lists.example/k3y/drop.txt" | "https://lists.example/.../drop.txt"
          https://lists.example/get/aB3dEf9h | https://lists.example/.../***
          https://lists.example/aB3dEf9hK.txt?x=1 | https://lists.example/***.txt?...
          from https://lists.example/x/akeyofletters. | from https://lists.example/.../***.
          https://lists.example/firehol_level1.netset | https://lists.example/firehol_level1.netset
          rsync://u@lists.example/k3y/b/?x   | rsync://lists.example/.../?...
          zone S3CRET-long.dq.example        | zone ***.dq.example
          to "bob smith"@example.com, now    | to [mail], now
          {"to":"\\"bob smith\\"@example.com"} | {"to":"[mail]"}
          to bob@[IPv6:2001:db8::7], now     | to [mail], now
          https://lists.example?x#y          | https://lists.example?...
          Authorization: Basic dXNlcjpwYXNz  | Authorization: Basic ***
          to bob.o'neil+x@example.com, now   | to [mail], now
          dns abcdefghij1234567890xy.dq.example | dns ***.dq.example
          feed spamhaus-drop-and-other-lists | feed spamhaus-drop-and-other-lists
          listener mx on [::]:25             | listener mx on [::]:25
          """)
  void keysAndMailAddressesAreTakenOut(String text, String shown) {
    assertEquals(shown, mask.text(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2026-11-24T07:39:01.123Z client 203.0.113.7 left | 2026-11-24T07:39:01.123Z client [ip] left
          client 2001:db8::7 and ::ffff:192.0.2.1 left | client [ip] and [ip] left
          client 2001:db8:1:2:3:4:5:6 left             | client [ip] left
          helo [IPv6:2001:db8::7] and [IPv6:2001:db8:1:2:3:4:5:6] | helo [[ip]] and [[ip]]
          """)
  void linesOfALogHoldNoAddressesOfMachines(String text, String shown) {
    assertEquals(shown, mask.logLine(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Nov 21 07:39:01 mx1 postfix/bloomgate/smtpd[77]: NOQUEUE: reject: RCPT from unknown[203.0.113.7]: 554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using drop [A1B2C3D4E5]; from=<a@b.example> to=<c@d.example> proto=ESMTP helo=<e.example> | Nov 21 07:39:01 mx1 postfix/bloomgate/smtpd[77]: NOQUEUE: reject: RCPT: 554 5.7.1 blocked using drop [A1B2C3D4E5]
          NOQUEUE: accept: END from unknown[203.0.113.7]: 250 2.0.0 bob took it; from=<a@b> to=<c@d> proto=ESMTP helo=<e> id=A1B2C3D4E5 nrcpt=1 size=7 ms=3 outcome=delivered | NOQUEUE: accept: END: 250 2.0.0 id=A1B2C3D4E5 nrcpt=1 size=7 ms=3 outcome=delivered
          event=decision verdict=reject client_ip=203.0.113.7 from=a@b feed=drop id=A1B2C3D4E5 | event=decision verdict=reject feed=drop id=A1B2C3D4E5
          bob said something | (a line of another form, 18 characters)
          """)
  void ofADecisionOnlyOurOwnWordsAreLeft(String line, String shown) {
    assertEquals(shown, LogExcerpt.shown(line));
  }

  @Test
  void ofADecisionInJsonTheSameIsLeft() {
    assertEquals(
        "{\"verdict\":\"reject\",\"code\":554}",
        LogExcerpt.shown("{\"verdict\":\"reject\",\"from\":\"a@b.example\",\"code\":554}"));
    assertEquals("(a line of another form, 8 characters)", LogExcerpt.shown("{\"from\":"));
  }
}
