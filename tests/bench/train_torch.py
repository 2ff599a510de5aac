# SPDX-FileCopyrightText: Posiscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of train_bench.cpp in PyTorch, for comparison: python3 train_torch.py [SECONDS] [--against posiscope_bench]

A practitioner's module: fused qkv, nn.LayerNorm, F.gelu, softmax, AdamW, clipping. With --against both take turns of
SECONDS, because the rates of a shared machine drift: what counts is the middle of the ratios of neighbouring turns.
PyTorch's threads times those of its BLAS must not exceed the cores: both settings are tried, and the better one counts.
"""
import argparse
import json
import os
import subprocess
import sys
import time

TURNS = 7

SIZES = {"S": (64, 4, 2, 32, 32, 32), "M": (128, 4, 4, 64, 16, 64), "L": (256, 8, 4, 128, 8, 96)}


def model_of(torch, d, heads, layers, length, vocab):
    nn, F = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
            self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
            self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

        def forward(self, x, mask):
            b, n, _ = x.shape
            q, k, v = self.qkv(self.ln1(x)).view(b, n, 3, heads, d // heads).permute(2, 0, 3, 1, 4)
            a = torch.softmax(q @ k.transpose(-1, -2) * (d // heads) ** -0.5 + mask, -1)
            x = x + self.o((a @ v).transpose(1, 2).reshape(b, n, d))
            return x + self.down(F.gelu(self.up(self.ln2(x))))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.places = nn.Embedding(vocab, d), nn.Embedding(512, d)
            self.blocks = nn.ModuleList(Block() for _ in range(layers))
            self.ln, self.head = nn.LayerNorm(d), nn.Linear(d, vocab)
            self.register_buffer("mask", torch.full((length, length), float("-inf")).triu(1))

        def forward(self, tokens):
            x = self.words(tokens) + self.places.weight[: tokens.shape[1]]
            for block in self.blocks:
                x = block(x, self.mask)
            return self.head(self.ln(x))

    return Model()


class Trainer:
    """Steps of one size; `rate` gives steps per second over about so many seconds."""

    def __init__(self, torch, name):
        d, heads, layers, length, batch, vocab = SIZES[name]
        torch.manual_seed(1)
        self.torch = torch
        self.model = model_of(torch, d, heads, layers, length, vocab)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), lr=2e-3, betas=(0.9, 0.98), weight_decay=0.01)
        self.tokens = torch.randint(vocab, (batch, length))
        self.targets = torch.randint(vocab, (batch, length)).view(-1)
        self.step()

    def step(self):
        self.optimiser.zero_grad(set_to_none=True)
        logits = self.model(self.tokens)
        self.torch.nn.functional.cross_entropy(logits.view(len(self.targets), -1), self.targets).backward()
        self.torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()

    def rate(self, seconds):
        start, steps = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            self.step()
            steps += 1
        return steps / (time.perf_counter() - start)


def rate_of_bench(program, name, seconds):
    """Of the learned table, which is what the module above has."""
    case = f"^trainStep/{list(SIZES).index(name)}/0/"
    out = subprocess.run(
        [program, f"--benchmark_filter={case}", f"--benchmark_min_time={seconds}", "--benchmark_format=json"],
        check=True, capture_output=True, text=True).stdout
    return json.loads(out)["benchmarks"][0]["steps/s"]


def middle(values):
    return sorted(values)[len(values) // 2]


def best_threads(torch, trainer, seconds):
    rates = {}
    for threads in sorted({1, os.cpu_count() or 1}):
        torch.set_num_threads(threads)
        rates[threads] = middle([trainer.rate(seconds) for _ in range(3)])
    return max(rates, key=rates.get)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seconds", nargs="?", type=float, default=0.5, help="of a turn")
    parser.add_argument("--against", metavar="BENCH", help="path of posiscope_bench")
    arguments = parser.parse_args()
    try:
        import torch
    except ImportError:
        sys.exit("PyTorch is not installed (Debian: python3-torch)")
    for name in SIZES:
        trainer = Trainer(torch, name)
        torch.set_num_threads(best_threads(torch, trainer, arguments.seconds))
        theirs, ours = [], []
        for _ in range(TURNS):
            theirs.append(trainer.rate(arguments.seconds))
            if arguments.against:
                ours.append(rate_of_bench(arguments.against, name, arguments.seconds))
        line = f"{name}: PyTorch {middle(theirs):.1f} steps/s [{min(theirs):.1f}, {max(theirs):.1f}]"
        if ours:
            ratios = [a / b for a, b in zip(ours, theirs)]
            line += (f", Posiscope {middle(ours):.1f} [{min(ours):.1f}, {max(ours):.1f}]"
                     f", ratio {middle(ratios):.2f} [{min(ratios):.2f}, {max(ratios):.2f}]")
        print(line, flush=True)


if __name__ == "__main__":
    main()
