import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { constants } from 'node:zlib';
import CompressionPlugin from 'compression-webpack-plugin';
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import TerserPlugin from 'terser-webpack-plugin';
import BundleTracker from 'webpack-bundle-tracker';

const root = import.meta.dirname;
const assets = path.join(root, 'assets');
const layers = ['app', 'screens', 'features', 'design', 'api', 'stores', 'lib'];
const require = createRequire(import.meta.url);

/** A new screen is a new file in assets/entries: its name is the bundle's name. */
const entries = Object.fromEntries(
  readdirSync(path.join(assets, 'entries')).map((file) => [
    path.parse(file).name,
    path.join(assets, 'entries', file),
  ]),
);

export default (_env, { mode = 'production' }) => {
  const production = mode === 'production';
  return {
    mode,
    context: root,
    target: ['web', 'es2022'],
    entry: entries,
    devtool: production ? false : 'source-map',
    output: {
      path: path.join(root, 'static', 'bundles'),
      publicPath: '/static/bundles/',
      filename: production ? '[name].[contenthash:8].js' : '[name].js',
      chunkFilename: production ? '[name].[contenthash:8].js' : '[name].js',
      assetModuleFilename: '[name].[contenthash:8][ext]',
      crossOriginLoading: 'anonymous',
      clean: true,
    },
    resolve: {
      extensions: ['.tsx', '.ts', '.js', '.mjs'],
      alias: Object.fromEntries(layers.map((layer) => [layer, path.join(assets, layer)])),
    },
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          include: assets,
          loader: require.resolve('swc-loader'),
          options: {
            jsc: {
              parser: { syntax: 'typescript', tsx: true },
              target: 'es2022',
              transform: { react: { runtime: 'automatic', development: !production } },
            },
          },
        },
        {
          test: /\.css$/,
          use: [
            MiniCssExtractPlugin.loader,
            {
              loader: require.resolve('css-loader'),
              options: {
                modules: {
                  auto: true,
                  namedExport: false,
                  exportLocalsConvention: 'camelCaseOnly',
                  localIdentName: production ? '[hash:base64:6]' : '[name]__[local]',
                },
              },
            },
          ],
        },
        // The name stays as it is: base.html preloads the latin subset by it.
        { test: /\.woff2$/, type: 'asset/resource', generator: { filename: '[name][ext]' } },
      ],
    },
    plugins: [
      new MiniCssExtractPlugin({
        filename: production ? '[name].[contenthash:8].css' : '[name].css',
        chunkFilename: production ? '[name].[contenthash:8].css' : '[name].css',
        ignoreOrder: true, // CSS Modules: no rule relies on the order of files
      }),
      new BundleTracker({
        path: root,
        filename: 'webpack-stats.json',
        integrity: true,
        integrityHashes: ['sha384'],
      }),
      ...(production
        ? [
            new CompressionPlugin({ test: /\.(js|css|svg)$/, minRatio: 0.9 }),
            new CompressionPlugin({
              test: /\.(js|css|svg)$/,
              minRatio: 0.9,
              algorithm: 'brotliCompress',
              filename: '[path][base].br',
              compressionOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } },
            }),
          ]
        : []),
    ],
    optimization: {
      runtimeChunk: 'single',
      moduleIds: 'deterministic',
      splitChunks: {
        chunks: 'initial', // a lazy part is one file, named and weighed as such
        maxInitialRequests: 8,
        cacheGroups: {
          framework: {
            test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/,
            name: 'framework',
            priority: 40,
            enforce: true,
          },
        },
      },
      minimizer: [
        new TerserPlugin({ minify: TerserPlugin.swcMinify, extractComments: false }),
        new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify }),
      ],
    },
    cache: {
      type: 'filesystem',
      cacheDirectory: path.join(root, '.webpack-cache'),
      buildDependencies: { config: [import.meta.filename] },
    },
    performance: { hints: false }, // assets/build/budget.mjs holds the sizes
    stats: production ? 'errors-warnings' : 'minimal',
  };
};
