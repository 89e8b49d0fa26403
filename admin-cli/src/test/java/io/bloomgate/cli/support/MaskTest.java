package io.bloomgate.cli.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
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
}
