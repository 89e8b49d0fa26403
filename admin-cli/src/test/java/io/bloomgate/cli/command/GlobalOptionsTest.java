package io.bloomgate.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Commands in hints lead to the gateway that was asked. */
class GlobalOptionsTest {

  private static String completed(String sentence) {
    GlobalOptions options = new GlobalOptions();
    options.config = Path.of("/etc/my own/b.yaml");
    return options.inCommands(sentence);
  }

  @Test
  void eachCommandGetsTheOptionsOfTheCall() {
    assertEquals(
        "see `bloomgate status -c '/etc/my own/b.yaml'` or"
            + " `bloomgate feeds show a -c '/etc/my own/b.yaml'`",
        completed("see `bloomgate status` or `bloomgate feeds show a`"));
    assertEquals(
        "see `bloomgate status`", new GlobalOptions().inCommands("see `bloomgate status`"));
  }

  @Test
  void commandsWithAFileOrWithoutAGatewayStay() {
    for (String same :
        new String[] {
          "`bloomgate status -c x`",
          "`bloomgate demo`",
          "`bloomgate run`",
          "`bloomgate`",
          "`chgrp bloomgate x`"
        }) {
      assertEquals(same, completed(same));
    }
  }
}
