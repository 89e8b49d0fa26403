package io.bloomgate.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * What every source file must keep so that a newcomer can read it in one sitting; the sources are
 * parsed, not compiled. Used by {@link SourceRulesTest}.
 */
final class SourceRules {
  static final int MAX_FILE_LINES = 400;
  static final int MAX_METHOD_LINES = 70;

  /** Closed families that Java wants in one file; two files would be two families. */
  private static final Set<String> LONGER_FAMILIES = Set.of("ControlRequest.java");

  /**
   * Lines of product code in all modules. Who removes code lowers it; only a feature that users
   * asked for raises it, by what it took: encrypted mail, certificates and tickets 2,250, profiles
   * and entries of recipients 1,550, domains in files and alarms 1,600, entries by pattern and
   * client name 540, tables of AS numbers 1,100, forwarders and signs 700, roles and the page 980,
   * traps, reports and own memory 2,800, DNS lists about content 400.
   */
  static final int MAX_PRODUCT_LINES = 106_210;

  private static final String PRODUCT = "/src/main/java/";

  /** Comments, in group 1, and the literals that could hold what looks like one. */
  private static final Pattern COMMENT_OR_LITERAL =
      Pattern.compile(
          "(/\\*(?s:.*?)\\*/|//.*)"
              + "|\"\"\"(?s:.*?)(?<!\\\\)\"\"\""
              + "|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'");

  private SourceRules() {}

  /** All Java files below these folders, those made by the build left out. */
  static List<Path> sources(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !root.relativize(file).toString().contains("/target/"))
          .sorted()
          .toList();
    }
  }

  /** The sources of product code: what Maven packs, so neither tests nor benchmarks. */
  static List<Path> products(Path root) throws IOException {
    return sources(root).stream()
        .filter(source -> {
          String file = "/" + root.relativize(source);
          return file.indexOf(PRODUCT) > 0 && !file.startsWith("/integration-tests/");
        })
        .toList();
  }

  /** Lines of product code by module. */
  static SortedMap<String, Integer> productLines(Path root) throws IOException {
    SortedMap<String, Integer> lines = new TreeMap<>();
    for (Path source : products(root)) {
      String file = "/" + root.relativize(source);
      String module = file.substring(1, file.indexOf(PRODUCT));
      lines.merge(module, codeLines(Files.readString(source)), Integer::sum);
    }
    return lines;
  }

  /** Lines of a source that hold more than blanks and comments. */
  static int codeLines(String source) {
    String code =
        COMMENT_OR_LITERAL
            .matcher(source)
            .replaceAll(
                found -> Matcher.quoteReplacement(withoutComment(found.group(), found.group(1))));
    return Math.toIntExact(code.lines().filter(line -> !line.isBlank()).count());
  }

  private static String withoutComment(String found, @Nullable String comment) {
    return comment == null ? found : comment.replaceAll("[^\n]", "");
  }

  /** One line a broken rule: file, line, and what is wrong. */
  static List<String> broken(List<Path> sources) throws IOException {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      List<String> broken = new ArrayList<>();
      for (CompilationUnitTree unit : task.parse()) {
        new Reader(DocTrees.instance(task), unit).scan(unit, broken);
      }
      return broken;
    }
  }

  private static final class Reader extends TreePathScanner<@Nullable Void, List<String>> {
    private final DocTrees docs;
    private final SourcePositions positions;
    private final CompilationUnitTree unit;
    private final LineMap lines;

    Reader(DocTrees docs, CompilationUnitTree unit) {
      this.docs = docs;
      this.positions = docs.getSourcePositions();
      this.unit = unit;
      this.lines = unit.getLineMap();
    }

    @Override
    public @Nullable Void visitCompilationUnit(CompilationUnitTree tree, List<String> broken) {
      long last = lastLine(tree);
      String name = Path.of(tree.getSourceFile().getName()).getFileName().toString();
      if (last > MAX_FILE_LINES && !LONGER_FAMILIES.contains(name)) {
        say(broken, last, "the file has more than " + MAX_FILE_LINES + " lines");
      }
      return super.visitCompilationUnit(tree, broken);
    }

    @Override
    public @Nullable Void visitPackage(PackageTree tree, List<String> broken) {
      if (isPackageInfo() && isUndocumented()) {
        say(broken, 1, "the package does not say what lives in it");
      }
      return super.visitPackage(tree, broken);
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, List<String> broken) {
      Tree parent = getCurrentPath().getParentPath().getLeaf();
      if (parent instanceof CompilationUnitTree && isUndocumented()) {
        say(broken, firstLine(tree), tree.getSimpleName() + " does not say what it is");
      }
      return super.visitClass(tree, broken);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, List<String> broken) {
      if (lastLine(tree) - firstLine(tree) >= MAX_METHOD_LINES) {
        say(
            broken,
            firstLine(tree),
            tree.getName() + " has more than " + MAX_METHOD_LINES + " lines");
      }
      return super.visitMethod(tree, broken);
    }

    private boolean isPackageInfo() {
      return unit.getSourceFile().getName().endsWith("package-info.java");
    }

    private boolean isUndocumented() {
      String comment = docs.getDocComment(getCurrentPath());
      return comment == null || comment.isBlank();
    }

    private long firstLine(Tree tree) {
      return lines.getLineNumber(positions.getStartPosition(unit, tree));
    }

    private long lastLine(Tree tree) {
      return lines.getLineNumber(positions.getEndPosition(unit, tree));
    }

    private void say(List<String> broken, long line, String what) {
      broken.add(unit.getSourceFile().getName() + ":" + line + ": " + what);
    }
  }
}
