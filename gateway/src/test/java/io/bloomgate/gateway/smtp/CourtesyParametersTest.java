package io.bloomgate.gateway.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameters for which no mail may bounce: what does not parse is dropped. */
final class CourtesyParametersTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RET=",
        "RET=ALL",
        "ENVID=+4",
        "ENVID=\"a b\"",
        "ENVID=\"a b",
        "ENVID=\u00fc",
        "AUTH=<>",
      })
  void courtesiesThatDoNotParseAreDropped(String parameter) throws ArgumentException {
    String mail = "FROM:<a@b.example>";
    assertEquals(MailCommand.parse(mail), MailCommand.parse(mail + " " + parameter));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOTIFY=",
        "NOTIFY=MAYBE",
        "NOTIFY=NEVER,SUCCESS",
        "ORCPT=a@b.example",
        "ORCPT=rfc822;",
        "ORCPT=;a",
        "ORCPT=\"a b\";x",
        "ORCPT=rfc822;a+4",
        "ORCPT=rfc822;\"a b\"",
        "ORCPT=utf-8;\u00fc",
      })
  void reportsThatDoNotParseAreDropped(String parameter) throws ArgumentException {
    String rcpt = "TO:<a@b.example>";
    assertEquals(RcptCommand.parse(rcpt, true), RcptCommand.parse(rcpt + " " + parameter, true));
  }
}
