package io.bloomgate.cli;

import java.util.List;

/**
 * The usual commands in one process, from which Java learns for its AOT cache (JEP 514). Started by
 * the launcher while a training gateway is up, whose socket is in the environment. The launcher
 * throws their answers away; the cache is made by Java itself when the process ends.
 */
public final class Training {

  static final List<String> COMMANDS =
      List.of(
          "version",
          "status",
          "status -o json",
          "health",
          "explain 203.0.113.7",
          "explain 192.0.2.25 --from offers@junk-shop.example",
          "allow add 192.0.2.9 --expires 7d --reason training",
          "allow list",
          "allow check 192.0.2.9",
          "allow remove 192.0.2.9",
          "block add training.example",
          "block list -o json",
          "block remove training.example",
          "feeds list",
          "feeds show sample-drop",
          "feeds refresh sample-drop --force",
          "feeds formats",
          "feeds catalogue",
          "sessions list",
          "top",
          "stats",
          "audit",
          "mode",
          "config reload",
          "doctor",
          "--help",
          "allow --help");

  private Training() {}

  /**
   * Runs all commands, whatever they say. The last one ends the process as every command does, so
   * that the cache has what this takes.
   */
  public static void main(String[] none) {
    for (String command : COMMANDS) {
      BloomgateCli.ofProcess().run(command.split(" "));
    }
    BloomgateCli.ofProcess().run(Completion.NAME, "feeds", "show", "");
    BloomgateCli.ofProcess().run("stauts");
    BloomgateCli.main(new String[] {"version"});
  }
}
