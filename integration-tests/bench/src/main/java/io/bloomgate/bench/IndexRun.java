package io.bloomgate.bench;

import io.bloomgate.blocklists.index.NetworkIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Size of the index of networks. Argument: listed hosts. */
public final class IndexRun {

  private IndexRun() {}

  /** Entry point. */
  public static void main(String[] args) throws IOException {
    int hosts = Integer.parseInt(args[0]);
    Path folder = Scratch.folder();
    try {
      long start = System.nanoTime();
      NetworkIndex index = Indexes.networks(folder, hosts, 0);
      String name = Figures.size(hosts) + "/networks/";
      Figures.add(name + "build-ns", (System.nanoTime() - start) / (double) hosts);
      Figures.add(name + "octets", Files.size(index.file().path()) / (double) hosts);
    } finally {
      Scratch.remove(folder);
    }
  }
}
